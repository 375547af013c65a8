import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { fixtureApp, projectDir } from '../../testing/daemon/test-daemon.ts';
import { findPython } from '../python/python-finder.ts';
import { copySources, readSettingsUrl } from './settings-url.ts';

const installerDir = join(projectDir, 'assets', 'installer');
const env = childEnvironment(process.env, '');

/** The address read from a fixture; null when its sources mention none. */
async function read(name: string, className: string) {
  const signal = AbortSignal.timeout(30_000);
  const { executable: python } = await findPython({ wanted: null, env, installerDir, signal });
  const work = await mkdtemp(join(tmpdir(), 'settings-url-'));
  onTestFinished(() => rm(work, { recursive: true }));
  const sourceDir = join(work, 'sources');
  if (!(await copySources(fixtureApp(name), sourceDir))) return null;
  return readSettingsUrl({
    ...{ python, installerDir, sourceDir, module: `${name}.main`, className },
    resultFile: join(work, 'result.json'),
    run: (file, args, more) => runCommand(file, args, { env, deadlineMs: 30_000, ...more }),
  });
}

test('the address of a settings page is read from a copy of the sources', async () => {
  expect(await read('own_page', 'OwnPage')).toEqual({ known: true, url: 'http://0.0.0.0:27042/' });
});

test('sources that mention no address are not copied', async () => {
  expect(await read('polite', 'Polite')).toBeNull();
});
