/** A daemon on a disk that takes nothing: it starts, says so, moves the robot, stops; and notices when there is room. */
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { standInOf } from './shared/data-folder/stand-in.ts';
import { type DaemonProcess, startDaemonProcess } from './testing/daemon/daemon-process.ts';
import { rawRequests } from './testing/daemon/raw-requests.ts';
import { runCli } from './testing/daemon/run-cli.ts';
import { mayMount, type SmallDisk, smallDisk } from './testing/daemon/small-disk.ts';
import { fixtureApp, startTestDaemon } from './testing/daemon/test-daemon.ts';

const isPossible = await mayMount();
if (!isPossible) console.warn('SKIPPED: this user may not mount a small disk');

const FULL = 'The disk of';
const ACTION = /Free some space/;

async function newDisk(megabytes = 40): Promise<SmallDisk> {
  const disk = (await smallDisk(megabytes)) as SmallDisk;
  await mkdir(join(disk.dir, 'tmp'));
  onTestFinished(() => disk[Symbol.asyncDispose]());
  onTestFinished(async () => {
    const { lockFile = '', instanceFile = '' } = (await standInOf(disk.dataDir)) ?? {};
    for (const file of [lockFile, instanceFile]) await rm(file, { force: true });
  });
  return disk;
}

/** Takes every page of a disk, and gives back some of them. */
async function fill(disk: SmallDisk, pages = 0): Promise<string> {
  const filler = join(disk.dir, 'filler');
  const { bavail, bsize } = await statfs(disk.dir);
  await writeFile(filler, Buffer.alloc(Math.max(0, (bavail - pages) * bsize)));
  return filler;
}

/** Starts a daemon whose temporary folder is on the same disk. */
async function startOn(disk: SmallDisk, dataDir = disk.dataDir): Promise<DaemonProcess> {
  vi.stubEnv('TMPDIR', join(disk.dir, 'tmp'));
  try {
    const daemon = await startDaemonProcess(dataDir, ['--no-wake-up-on-start']);
    onTestFinished(() => daemon.kill());
    return daemon;
  } finally {
    vi.unstubAllEnvs();
  }
}

/** An installed app on a disk, stopped. */
async function installOn({ dataDir }: SmallDisk): Promise<void> {
  await using daemon = await startTestDaemon({ dataDir, installer: 'auto' });
  expect(await daemon.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
}

test.skipIf(!isPossible)(
  'a full disk: motion, the dashboard and a stop work, an app start is refused, and room is noticed',
  async () => {
    const disk = await newDisk();
    await installOn(disk);
    const before = await readdir(disk.dataDir);
    const filler = await fill(disk);
    const daemon = await startOn(disk);
    const requests = rawRequests(daemon.url);

    const problem = { reason: `${FULL} ${disk.dataDir} is full.`, action: expect.stringMatching(ACTION) };
    expect((await requests.get('/api/daemon/status')).body).toMatchObject({ storageProblem: problem });
    await vi.waitFor(() => expect(daemon.said()).toContain('Nothing can be saved, and no app can start: The disk of'));
    expect((await fetch(`${daemon.url}/`)).status).toBe(200);
    const refused = {
      status: 507,
      body: { code: 'disk-full', error: expect.stringMatching(`^${FULL} .* is full[.] Free`) },
    };
    expect(await requests.post('/api/apps/start-app/polite')).toMatchObject(refused);
    expect((await requests.get('/api/apps/slot')).body).toMatchObject({ state: 'free' });
    expect((await requests.post('/api/robot/wake-up')).status).toBeLessThan(300);
    await vi.waitFor(async () =>
      expect((await requests.get('/api/robot')).body).toMatchObject({ robot: { state: 'awake' } }),
    );
    expect((await requests.get('/api/apps/list')).body).toMatchObject([{ name: 'polite' }]);

    // Another daemon is refused, and the commands know this one.
    expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        `Another daemon is using the data folder ${disk.dataDir} (process ${daemon.process.pid}`,
      ),
    });
    expect((await runCli('status', '--data-dir', disk.dataDir)).text).toContain(
      'Nothing can be saved, and no app can start',
    );

    await rm(filler);
    await vi.waitFor(async () =>
      expect((await requests.get('/api/daemon/status')).body).not.toHaveProperty('storageProblem'),
    );
    expect((await requests.post('/api/apps/start-app/polite')).status).toBeLessThan(300);
    expect(await runCli('stop', '--data-dir', disk.dataDir)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Stopped.'),
    });
    expect(daemon.said()).not.toMatch(/^\s+at /m);
    expect((await readdir(disk.dataDir)).filter((name) => !before.includes(name))).toEqual(['runs', 'runs.json']);
  },
);

test.skipIf(!isPossible)('a stop of a daemon on a full disk, which never had room for its data folder', async () => {
  const disk = await newDisk(1);
  const dataDir = join(disk.dir, 'new');
  await fill(disk);
  const daemon = await startOn(disk, dataDir);
  expect((await rawRequests(daemon.url).get('/api/daemon/status')).body).toMatchObject({
    storageProblem: { reason: expect.stringContaining('is full') },
  });
  expect(await runCli('stop', '--data-dir', dataDir)).toMatchObject({
    code: 0,
    text: expect.stringContaining('Stopped.'),
  });
  expect(await daemon.exited).toBe(0);
  expect((await runCli('status', '--data-dir', dataDir)).text).toContain('No robot daemon runs');
});

test.skipIf(!isPossible)(
  'a disk that can only be read; a second daemon is refused there and once it can be written',
  async () => {
    const disk = await newDisk(4);
    await execa('mount', ['-o', 'remount,ro', disk.dir]);
    const daemon = await startOn(disk);
    expect((await rawRequests(daemon.url).get('/api/daemon/status')).body).toMatchObject({
      storageProblem: { reason: `${FULL} ${disk.dataDir} can only be read.` },
    });
    const another = { code: 1, text: expect.stringContaining(`process ${daemon.process.pid}, at ${daemon.url}`) };
    expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject(another);
    daemon.process.kill('SIGSTOP'); // it cannot notice
    await execa('mount', ['-o', 'remount,rw', disk.dir]);
    expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject({
      code: 1,
      text: expect.stringContaining('Another daemon is using'),
    });
    daemon.process.kill('SIGCONT');
    await vi.waitFor(async () =>
      expect((await rawRequests(daemon.url).get('/api/daemon/status')).body).not.toHaveProperty('storageProblem'),
    );
    expect(await readdir(disk.dataDir)).toContain('daemon.json');
    expect(await runCli('--sim', '--data-dir', disk.dataDir)).toMatchObject(another);
    expect(await runCli('stop', '--data-dir', disk.dataDir)).toMatchObject({ code: 0 });
  },
);

test.skipIf(!isPossible)('a daemon killed on a full disk leaves nothing in the way of the next one', async () => {
  const disk = await newDisk(1);
  await fill(disk);
  const killed = await startOn(disk);
  await killed.kill();
  const next = await startOn(disk);
  expect((await runCli('status', '--data-dir', disk.dataDir)).text).toContain(`${next.url}/`);
  expect(await runCli('stop', '--data-dir', disk.dataDir)).toMatchObject({
    code: 0,
    text: expect.stringContaining('Stopped.'),
  });
});
