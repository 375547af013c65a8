import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../../shared/child-environment.ts';
import { runCommand } from '../../shared/run-command.ts';
import { fixtureApp, projectDir } from '../../testing/test-daemon.ts';
import { findPython } from './python-finder.ts';
import { readSettingsUrl } from './settings-url.ts';

const installerDir = join(projectDir, 'assets', 'installer');
const env = childEnvironment(process.env, '');

/** What is read of a fixture, and how many commands that takes. */
async function read(name: string, className: string) {
  const signal = AbortSignal.timeout(30_000);
  const { executable: python } = await findPython({ wanted: null, env, installerDir, signal });
  const work = await mkdtemp(join(tmpdir(), 'settings-url-'));
  onTestFinished(() => rm(work, { recursive: true }));
  let commands = 0;
  const settingsUrl = await readSettingsUrl({
    ...{ python, installerDir, sourceDir: fixtureApp(name), module: `${name}.main`, className },
    resultFile: join(work, 'result.json'),
    run: (file, args, more) => {
      commands += 1;
      return runCommand(file, args, { env, deadlineMs: 30_000, ...more });
    },
  });
  return { settingsUrl, commands };
}

test('the address of a settings page is read from the sources', async () => {
  expect(await read('own_page', 'OwnPage')).toEqual({
    settingsUrl: { known: true, url: 'http://0.0.0.0:47042/' },
    commands: 1,
  });
});

test('sources that never mention an address cost no interpreter', async () => {
  expect(await read('polite', 'Polite')).toEqual({ settingsUrl: { known: false, url: null }, commands: 0 });
});
