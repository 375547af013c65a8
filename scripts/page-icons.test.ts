import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { icons } from './page-icons.ts';

async function built(name: string): Promise<string> {
  const options = { configFile: false, logLevel: 'silent', plugins: [icons()] } as const;
  const input = `icon:${name}`;
  const rolldownOptions = { input, preserveEntrySignatures: 'strict' } as const;
  const output = (await build({ ...options, build: { write: false, rolldownOptions } })) as Rolldown.RolldownOutput;
  return output.output[0].code;
}

test('an icon is imported as the paths of its drawing', async () => {
  expect(await built('chevron-down')).toContain('m6 9l6 6l6-6');
});

test('an icon that the set does not have fails the build', async () => {
  await expect(built('no-such-thing')).rejects.toThrow('The set has no icon no-such-thing');
});
