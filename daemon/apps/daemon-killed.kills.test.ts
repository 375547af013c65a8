/** The daemon is killed (SIGKILL) at seeded moments of install, start and stop; the next one finds everything whole. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { InstalledApp } from '../contract/apps.ts';
import type { Job } from '../contract/jobs.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon-process.ts';
import { fixtureApp, newDataDir, tracesIn } from '../testing/test-daemon.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 20);
const seed = Number(process.env['TORTURE_SEED'] ?? 20261121);
console.log(`${kills} kills with TORTURE_SEED=${seed}`);
const random = mulberry32(seed);

let dataDir: string;
let folder: string;
let daemon: DaemonProcess;
let version = 0;

beforeAll(async () => {
  dataDir = await newDataDir();
  folder = join(await mkdtemp(join(tmpdir(), 'robot-desktop-apps-')), 'polite');
  await cp(fixtureApp('polite'), folder, { recursive: true });
  daemon = await startDaemonProcess(dataDir);
  await jobEnd((await install()).id);
  const startMs = performance.now();
  await jobEnd((await install()).id);
  // So that the kills fall over all of an install, whether uv or pip does it.
  scenes.install.lastsMs = 1.2 * (performance.now() - startMs);
}, 120_000);
afterAll(async () => {
  await daemon?.kill();
  await rm(dataDir, { recursive: true, force: true });
  await rm(dirname(folder), { recursive: true, force: true });
});

const call = async (path: string, body?: unknown) => {
  const response = await fetch(daemon.url + path, {
    method: path.startsWith('/api/apps/st') || body ? 'POST' : 'GET',
    ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
  });
  return response.json();
};
const installed = () => call('/api/apps/list') as Promise<InstalledApp[]>;

/** Asks for an install of a new version of the app. */
async function install(): Promise<Job> {
  version += 1;
  const path = join(folder, 'pyproject.toml');
  const pyproject = await readFile(path, 'utf8');
  await writeFile(path, pyproject.replace(/^version = .*$/m, `version = "${version}.0"`));
  return (await call('/api/apps/install', { url: folder })) as Job;
}
async function jobEnd(id: string): Promise<void> {
  await vi.waitFor(async () => expect(await call(`/api/jobs/${id}`)).toMatchObject({ state: 'done' }), 60_000);
}
async function appIsUp(): Promise<void> {
  await vi.waitFor(async () => expect(await call('/api/apps/slot')).toMatchObject({ sdk: 'connected' }), 20_000);
}

/** What is under way when the daemon is killed, and how long it takes at most. */
const scenes = {
  install: { lastsMs: 1_500, begin: async () => void (await install()) },
  start: { lastsMs: 200, begin: async () => void call('/api/apps/start-app/polite').catch(() => {}) },
  stop: {
    lastsMs: 400,
    begin: async () => {
      await call('/api/apps/start-app/polite');
      await appIsUp();
      void call('/api/apps/stop-current-app').catch(() => {});
    },
  },
};
const names = Object.keys(scenes) as (keyof typeof scenes)[];

test.each(Array.from({ length: kills }, (_, index) => ({ index: index + 1 })))('kill $index', async ({ index }) => {
  const scene = names[index % names.length] as keyof typeof scenes;
  const { lastsMs, begin } = scenes[scene];
  const afterMs = Math.floor(random() * lastsMs);
  const [before] = await installed();
  await begin();
  await sleep(afterMs);
  await daemon.kill();
  const orphans = await daemon.children();

  daemon = await startDaemonProcess(dataDir);
  const where = `${scene}, killed after ${afterMs} ms`;
  expect(
    (await daemon.children()).filter((pid) => orphans.includes(pid)),
    where,
  ).toEqual([]);

  const apps = await installed();
  expect(apps, where).toHaveLength(1);
  expect([before?.version, `${version}.0`], where).toContain(apps[0]?.version);
  const traces = await tracesIn(dataDir);
  expect(
    traces.filter((trace) => !trace.startsWith('polite')),
    where,
  ).toEqual([]);
  expect(traces.length, where).toBeLessThanOrEqual(3);
  const jobs = (await call('/api/jobs')) as Job[];
  expect(
    jobs.filter(({ endedAt }) => endedAt === null),
    where,
  ).toEqual([]);
  expect(await call('/api/apps/slot'), where).toEqual({ state: 'free', lastRun: null });

  await call('/api/apps/start-app/polite');
  await appIsUp();
  expect(await call('/api/apps/stop-current-app'), where).toMatchObject({ lastRun: { outcome: 'stopped' } });
});

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
