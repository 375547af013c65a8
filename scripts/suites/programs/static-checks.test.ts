import { expect, test } from 'vitest';
import { staticChecksOf } from './static-checks.ts';

const STYLE = ['style', 'unused exports', 'OpenAPI document'];
const PYTHON = ['types, Python 3.10', 'types, Python 3.14', 'types of the templates'];

test.for([
  { changed: [], names: ['types', ...STYLE] },
  { changed: ['README.md', 'daemon/deleted.ts'], names: ['types', ...STYLE] },
  { changed: ['scripts/check.ts'], names: ['types', 'promises and imports', ...STYLE] },
  { changed: ['oxlint.config.ts'], names: ['types', 'promises and imports', ...STYLE] },
  { changed: ['assets/python-sdk/robot/robot.py'], names: ['types', ...STYLE, ...PYTHON] },
])('after a change of $changed the checks are $names', ({ changed, names }) => {
  const checks = staticChecksOf(changed).flat();
  expect(checks.map(({ name }) => name)).toEqual(names);
});

test('only the changed files are read for promises and imports, and all where the rules have changed', async () => {
  expect(await argumentsAfter('scripts/check.ts')).toEqual(['--type-aware', 'scripts/check.ts']);
  expect(await argumentsAfter('oxlint.config.ts')).toContain('daemon');
});

async function argumentsAfter(changed: string): Promise<readonly string[]> {
  const suite = staticChecksOf([changed])
    .flat()
    .find(({ name }) => name === 'promises and imports');
  let found: readonly string[] = [];
  await suite?.run(async (_program, args) => {
    found = args;
    return 0;
  });
  return found;
}
