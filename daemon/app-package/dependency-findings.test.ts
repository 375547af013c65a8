import { expect, test } from 'vitest';
import { dependencyFindings } from './dependency-findings.ts';
import { parsePyproject } from './pyproject.ts';

function found(text: string): string[] {
  const pyproject = parsePyproject(`[project]\nname = "x"\n${text}`);
  if ('code' in pyproject) throw new Error(pyproject.message);
  return dependencyFindings(pyproject).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}
const depending = (dependency: string) => found(`dependencies = [${JSON.stringify(dependency)}]`);

test.each([
  'numpy',
  'numpy>=1.26,<3; python_version < "3.13"',
  'uvicorn[standard] (>=0.29)',
  'torch==2.5.1+cpu',
  'wave @ https://example.org/wave-1.0-py3-none-any.whl',
  'wave @ http://127.0.0.1:8080/wave.whl ; sys_platform == "linux"',
  'robot-sdk @ git+ssh://git@example.org/sdk.git',
])('%s has no finding', (dependency) => expect(depending(dependency)).toEqual([]));

test.each(['-e .', '--index-url=https://example.org', ' -r requirements.txt'])('%s is an option', (dependency) => {
  expect(depending(dependency)).toEqual([
    `problem bad-dependency: Its requirement "${dependency.trim()}" would be read as an option.`,
  ]);
});

test.each([
  './vendor/moves',
  '../moves',
  '/srv/moves',
  'file:///srv/moves',
  'git+ssh://git@example.org/m',
  'git+https://example.org/m',
  'a b',
  '',
  'x'.repeat(1001),
])('%j is no requirement', (dependency) => {
  const [line] = depending(dependency);
  expect(line).toContain('is invalid. Use a name and a version, such as "numpy>=1.26".');
  expect(line?.length).toBeLessThan(250);
});

test.each([
  'moves @ git+ssh://git@example.org/moves.git',
  'moves @ file:///srv/moves',
  'moves @ http://example.org/moves.whl',
  'moves @ git+file:///srv/moves',
  'moves @ ext::sh',
  'moves @ ../moves',
  'moves @ git+https://example.org/moves.git@--upload-pack=x',
  'moves @ http://localhost.example.org/moves.whl',
])('%s is not fetched', (dependency) => {
  expect(depending(dependency)).toEqual([
    `problem bad-dependency: Its requirement "${dependency}" is not fetched over HTTPS. Only HTTPS is allowed.`,
  ]);
});

test('dependencies from git are reported, also those of the build', () => {
  expect(depending('moves @ git+https://example.org/moves.git@v1')).toEqual([
    'warning git-dependency: Its requirement "moves @ git+https://example.org/moves.git@v1" needs git on this machine.',
  ]);
  expect(found('[build-system]\nrequires = ["--pre"]')).toEqual([
    'problem bad-dependency: Its requirement "--pre" would be read as an option.',
  ]);
});

test('settings that only uv reads are reported', () => {
  expect(
    found(`[tool.uv]
override-dependencies = ["numpy<2"]
constraint-dependencies = []
index = [{ url = "https://example.org" }]
[tool.uv.sources]
moves = { workspace = true }
steps = [{ path = "../steps", marker = "sys_platform == 'linux'" }]
inside = { path = "vendor/inside" }
sound = { git = "https://example.org/sound.git" }
other = { git = "ssh://git@example.org/other.git" }
odd = 3
`),
  ).toEqual([
    'warning uv-settings: It sets "override-dependencies", "constraint-dependencies" in [tool.uv], which applies only in its own workspace.',
    'warning uv-settings: Its source of moves in [tool.uv] will not be found outside its workspace.',
    'warning uv-settings: Its source of steps in [tool.uv] will not be found outside its workspace.',
    'warning git-dependency: Its source of sound in [tool.uv] needs git on this machine.',
    'problem bad-dependency: Its source of other in [tool.uv] is not fetched over HTTPS. Only HTTPS is allowed.',
  ]);
  expect(found('[tool]\nuv = 3')).toEqual([]);
});
