/** The app that README.md shows under "Write an app": installed by the daemon, and in an environment of the author. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { runCli } from '../../testing/daemon/run-cli.ts';
import { projectDir, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { pythonOf } from '../../testing/python/python-environment.ts';

let root: string;
let app: string;
beforeAll(async () => {
  vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/');
  root = await mkdtemp(join(tmpdir(), 'robot-desktop-readme-'));
  app = join(root, 'my_app');
  const readme = await readFile(join(projectDir, 'README.md'), 'utf8');
  const files = [...readme.matchAll(/^`([\w./]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)];
  expect(files.map(([, path]) => path)).toEqual(['pyproject.toml', 'my_app/main.py', 'README.md']);
  for (const [, path = '', text = ''] of [...files, ['', 'my_app/__init__.py', '']]) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), text);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

test('the daemon installs it without a package index and without a warning, and it nods', async () => {
  await using daemon = await startTestDaemon({ installer: 'pip' });
  const job = await daemon.install(app);
  expect(job).toMatchObject({ state: 'done', appName: 'my_app' });
  expect(job.logTail.filter((line) => line.includes('warning'))).toEqual([]);
  expect(await daemon.post('/api/apps/start-app/my_app')).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect((await daemon.call('getRobot')).pose.head[8]).toBeLessThan(-0.15));
  await daemon.post('/api/apps/stop-current-app');
  expect((await daemon.call('listRuns'))[0]).toMatchObject({ outcome: 'stopped', exitCode: 0 });
});

test('it is installed into an environment of the author, with its entry point', async () => {
  const env = childEnvironment(process.env, randomUUID());
  const run = (file: string, ...args: string[]) =>
    runCommand(file, args, { env, cwd: app, deadlineMs: 100_000, moreEnv: { PIP_NO_INDEX: '1' } });
  const python = pythonOf(join(root, 'venv'));
  await run(process.platform === 'win32' ? 'python' : 'python3', '-m', 'venv', join(root, 'venv'));
  const { out } = await runCli('sdk', 'path', '--data-dir', join(root, 'data'));
  await run(python, '-m', 'pip', 'install', out.trimEnd());
  await run(python, '-m', 'pip', 'install', '--no-build-isolation', '-e', '.');
  const script = 'from importlib.metadata import entry_points as e; print(e(group="robot_apps")["my_app"].load())';
  expect(await run(python, '-I', '-c', script)).toEqual(["<class 'my_app.main.MyApp'>"]);
});
