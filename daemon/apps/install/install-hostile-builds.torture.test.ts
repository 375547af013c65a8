/** Malicious builds: a build runs any code, but it is ended, and leaves nothing outside the app's environment. */
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { type AppPackage, appSource, mainBlock, writeAppPackage } from '../../testing/apps/app-packages.ts';
import {
  builtBy,
  type LyingHub,
  serveBytes,
  startLyingHub,
  strayFiles,
  trapArchive,
} from '../../testing/apps/hostile-apps.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { uvIsHere } from '../../testing/python/uv.ts';

let folder: string;
let dataDir: string;
let hub: LyingHub;
let daemon: TestDaemon;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-hostile-'));
  hub = await startLyingHub();
  dataDir = await newDataDir(['tools']); // with its own cache, so that a stray file in it is found
  daemon = await startTestDaemon({ dataDir, hubUrl: hub.url });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
});

const write = (app: AppPackage) => writeAppPackage(join(folder, app.name), app);
const install = async (app: AppPackage, on = daemon): Promise<Job> => on.install(await write(app));
const refusal = ({ state, failure }: Job) => ({ state, reason: failure?.reason, message: failure?.message });
const escaped = () => strayFiles(daemon.dataDir, folder);
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
// The archive is extracted by an older pip, which writes through links; the archive's own build could do so too.
const traps = (await uvIsHere()) ? ['paths', 'links'] : ['paths'];
if (!traps.includes('links'))
  console.warn('SKIPPED: a source archive with links that lead out, because uv is not here');

test('a wheel with paths out of the environment writes nothing outside of it', async () => {
  const evil = join(folder, 'evil-absolute');
  const up = Array.from({ length: 8 }, (_, index) => `${'../'.repeat(index + 1)}evil`);
  const paths = [
    ...up,
    ...up.map((path) => `wheel_paths-1.0.0.data/data/${path}`),
    ...up.map((path) => `wheel_paths-1.0.0.data/scripts/${path}`),
    evil,
    `wheel_paths-1.0.0.data/data/${evil}`,
    '..\\..\\evil',
  ];
  const files = JSON.stringify(Object.fromEntries(paths.map((path) => [path, 'evil'])));
  const job = await install(builtBy('wheel_paths', [`return wheel(${files})`]));
  expect(job.failure?.reason ?? 'done').toMatch(/^(?:done|build)$/);
  expect(await escaped()).toEqual([]);
});

test('a wheel with paths as command names, or with a link to write through, writes nothing outside', async () => {
  const script = (path: string) => `wheel({"entry points": "[console_scripts]\\n${path} = os:getcwd\\n"})`;
  const link = [
    'name = wheel()',
    'with zipfile.ZipFile(os.path.join(directory, name), "a") as archive:',
    '    link = zipfile.ZipInfo("wheel_link/out")',
    '    link.create_system, link.external_attr = 3, 0o120777 << 16',
    `    archive.writestr(link, ${JSON.stringify(folder)})`,
    '    archive.writestr("wheel_link/out/evil-link", "evil")',
    'return name',
  ];
  for (const app of [
    builtBy('wheel_script', [`return ${script('../../../../evil')}`]),
    builtBy('wheel_script', [`return ${script(join(folder, 'evil-script'))}`]),
    builtBy('wheel_link', link),
  ]) {
    expect((await install(app)).failure?.reason ?? 'done').toMatch(/^(?:done|build)$/);
    expect(await escaped()).toEqual([]);
  }
});

test.each(traps)('a source archive with %s out of its folder is refused', async (how) => {
  const archive = join(folder, `${how}.tar.gz`);
  await execa('python3', ['-c', trapArchive, archive, how, folder]);
  const bytes = await readFile(archive);
  const { url, requests } = await serveBytes(bytes);
  const dependencies = ['robot-sdk', `trap @ ${url}/trap-1.0.tar.gz`];
  const job = await install({ name: `trap_of_${how}`, dependencies });
  expect(refusal(job)).toMatchObject({ state: 'failed', reason: 'build' });
  expect(requests).toContain('/trap-1.0.tar.gz');
  expect(await escaped()).toEqual([]);
});

test('a build finds no secrets in its environment', async () => {
  vi.stubEnv('ROBOT_CANARY', 'canary-of-the-daemon');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await daemon.put('/api/hub/token', { token: 'hf_canaryOfTheHub' })).toMatchObject({ status: 200 });
  const spy = [
    'import json',
    'seen = {pid: open(f"/proc/{pid}/environ").read() for pid in ("self", os.getppid())} if os.path.exists("/proc/self") else {}',
    'return wheel({"env_spy/seen.json": json.dumps([dict(os.environ), seen])})',
  ];
  expect(refusal(await install(builtBy('env_spy', spy)))).toMatchObject({ state: 'done' });
  const envs = join(daemon.dataDir, 'apps', 'env-spy', 'envs');
  const [seen = ''] = (await readdir(envs, { recursive: true })).filter((path) => path.endsWith('/seen.json'));
  const text = await readFile(join(envs, seen), 'utf8');
  expect(text).toContain('PATH');
  expect(text).not.toMatch(/canary/i);
});

test('the output of a build is bounded, also a line of megabytes', async () => {
  const flood = ['for stream in (sys.stdout, sys.stderr): stream.write("evil " * 4_000_000); stream.flush()'];
  const job = await install(builtBy('floods', [...flood, 'sys.exit(1)']));
  expect(refusal(job)).toMatchObject({ state: 'failed', reason: 'build' });
  const { lines } = (await daemon.get(`/api/jobs/${job.id}/log`)).body;
  expect(Math.max(...lines.map((line: string) => line.length))).toBeLessThanOrEqual(1_000);
  expect(JSON.stringify(job).length).toBeLessThan(200_000);
});

test('a build that never ends is killed, with a child in its own session', async () => {
  const pidFile = join(folder, 'sleeper.pid');
  const sleeper = [
    'import subprocess, time',
    'child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)',
    `open(${JSON.stringify(pidFile)}, "w").write(str(child.pid))`,
  ];
  const hanging = builtBy('hangs', [...sleeper, 'time.sleep(3600)']);
  // On a busy machine the build may not have begun when the time of the install is over: once more, with more time.
  for (const installWithinMs of [4_000, 15_000, 60_000]) {
    await using impatient = await startTestDaemon({ installWithinMs });
    expect(refusal(await install(hanging, impatient))).toMatchObject({ state: 'failed', reason: 'timeout' });
    expect(await impatient.children()).toEqual([]);
    expect(await impatient.traces()).toEqual([]);
    if (await isThere(pidFile)) return;
  }
  expect.fail('No build began within a minute.');
});

test('a build that leaves a program running succeeds, and the program is killed', async () => {
  const pidFile = join(folder, 'left.pid');
  const leaves = [
    'if os.fork() == 0:',
    '    os.setsid()',
    '    if os.fork() == 0:',
    `        open(${JSON.stringify(pidFile)}, "w").write(str(os.getpid()))`,
    '        for fd in range(3): os.close(fd)',
    '        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)"])',
    '    os._exit(0)',
    `while not os.path.exists(${JSON.stringify(pidFile)}): pass`,
    'return wheel()',
  ];
  expect(refusal(await install(builtBy('leaves', leaves)))).toMatchObject({ state: 'done' });
  expect(await isThere(pidFile)).toBe(true);
  expect(await daemon.children()).toEqual([]);
});

test('an install whose import never ends can be cancelled', async () => {
  const before = await daemon.traces();
  const mainSource = appSource({ before: 'import time\ntime.sleep(3600)' }) + mainBlock();
  const { body } = await daemon.post('/api/apps/install', { url: await write({ name: 'import_hangs', mainSource }) });
  const importing = async () => {
    const { steps } = (await daemon.get(`/api/jobs/${body.id}`)).body as Job;
    expect(steps.find(({ name }) => name === 'import')?.state).toBe('running');
  };
  await vi.waitFor(importing);
  await daemon.post(`/api/jobs/${body.id}/cancel`);
  expect(refusal(await daemon.jobEnd(body.id))).toMatchObject({ state: 'cancelled' });
  expect(await daemon.traces()).toEqual(before);
  expect(await daemon.children()).toEqual([]);
});
