import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { icons } from './page-icons.ts';

async function built(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [icons()],
    build: { write: false, rolldownOptions: { input: `icon:${name}`, preserveEntrySignatures: 'strict' } },
  });
  return (built as Rolldown.RolldownOutput).output[0].code;
}

test('an icon is imported as the paths of its drawing', async () => {
  expect(await built('chevron-down')).toContain('m6 9l6 6l6-6');
});

test('an icon that the set does not have fails the build', async () => {
  await expect(built('no-such-thing')).rejects.toThrow('The set has no icon no-such-thing');
});
