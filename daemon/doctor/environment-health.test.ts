import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { CommandFailed } from '../shared/processes/run-command.ts';
import { environmentHealth } from './environment-health.ts';

const app = { module: 'weather.main', className: 'Weather' };
/** An import that writes lines and ends with exit code 1, in an environment whose Python runs. */
const importWriting = (...lines: string[]) =>
  environmentHealth(tmpdir(), app, {
    installerDir: '/installer',
    run: (file, args) =>
      args.includes('-c')
        ? Promise.resolve([])
        : Promise.reject(new CommandFailed(file, 'ended with exit code 1', 1, false, lines)),
  });

test('an app that reads a variable at its import is not reported as broken: the check has no variables', async () => {
  expect(
    await importWriting(
      'Traceback (most recent call last):',
      '  File "/envs/1/weather/main.py", line 3, in <module>',
      '    KEY = os.environ["WEATHER_API_KEY"]',
      '          ~~~~~~~~~~^^^^^^^^^^^^^^^^^^^',
      '  File "<frozen os>", line 679, in __getitem__',
      "KeyError: 'WEATHER_API_KEY'",
    ),
  ).toEqual({ state: 'ok' });
  expect(
    await importWriting(
      'Traceback (most recent call last):',
      '  File "/envs/1/weather/main.py", line 3, in <module>',
      '    import numpy',
      "ModuleNotFoundError: No module named 'numpy'",
    ),
  ).toEqual({ state: 'no-import', why: "ModuleNotFoundError: No module named 'numpy'" });
});
