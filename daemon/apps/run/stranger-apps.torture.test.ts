/** Apps by other authors, as they are: installed, run and stopped by the real daemon. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { TargetPart } from '../../contract/robot/robot.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { type StrangerApp, strangerApps, strangerPackage } from '../../testing/apps/stranger-apps.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { packageIndexIsHere } from '../../testing/python/uv.ts';

const index = await packageIndexIsHere();
/** All libraries that come with the SDK take half a minute of CPU time, so `npm run torture` installs them. */
const baseline = !!process.env['TORTURE_BASELINE'];
const MOVED_RAD = 0.05;
const WORK_MS = 40_000;
/** Far below the 20 s after which it would be killed. */
const STOP_MS = 9_000;

test.concurrent.for([...strangerApps])('$name does its work, and stops when asked', async (app, context) => {
  if (!index && (baseline || app.libraries.length > 0)) {
    console.warn(`SKIPPED: the app ${app.name}, because the package index cannot be reached`);
    return context.skip('no package index');
  }
  await using folder = await mkdtempDisposable(`${tmpdir()}/robot-desktop-strangers-`);
  await using daemon = await startTestDaemon({ robot: app.robot });
  const source = strangerPackage(app, { daemonUrl: daemon.url, baseline });
  const job = await daemon.install(await writeAppPackage(folder.path, source));
  context.expect(job).toMatchObject({ state: 'done', failure: null });
  const before = await daemon.children(); // an emulated robot has one

  await vi.waitFor(async () => expect(await daemon.robot()).toMatchObject({ connected: true }));
  expect(await daemon.post(`/api/apps/start-app/${app.name}`)).toMatchObject({ status: 200 });
  const seen = await work(daemon, app);
  if (app.static) await callPage(daemon);
  const stoppedAt = performance.now();
  const { lastRun } = app.ends ? await freeSlot(daemon) : await stop(daemon);
  const stopMs = performance.now() - stoppedAt;
  const { lines } = await daemon.outputPage();
  const errors = lines.filter(({ stream }) => stream === 'stderr').map(({ text }) => text);
  const unexpected = errors.filter((text) => !app.warns.some((warns) => warns.test(text)));
  const unsaid = app.warns.filter((warns) => !errors.some((text) => warns.test(text)));
  const { outcome, exitCode } = lastRun;
  const inTime = stopMs < STOP_MS;
  context.expect({ ...seen, unexpected, unsaid, outcome, exitCode, inTime }).toEqual({
    ...{ missing: [], still: [], unexpected: [], unsaid: [] },
    outcome: 'stopped',
    exitCode: 0,
    inTime: true,
  });
  const isHome = { state: 'awake', torque: true, atDefault: true };
  await vi.waitFor(async () => expect((await daemon.call('getRobot')).robot).toMatchObject(isHome));
  expect(await daemon.children()).toEqual(before);
});

/** Waits until the app has printed its lines and moved its parts. @returns the signs that did not come */
async function work(daemon: TestDaemon, { prints, moves }: StrangerApp) {
  const until = performance.now() + WORK_MS;
  const ranges = new Map<TargetPart, [number, number][]>();
  let signs: { missing: RegExp[]; still: TargetPart[] };
  do {
    for (const [part, angles] of Object.entries(await measuredAngles(daemon)) as [TargetPart, number[]][]) {
      const known = ranges.get(part) ?? angles.map((angle) => [angle, angle] as [number, number]);
      ranges.set(
        part,
        known.map(([low, high], at) => [Math.min(low, angles[at] ?? low), Math.max(high, angles[at] ?? high)]),
      );
    }
    const output = await daemon.output();
    signs = {
      missing: prints.filter((line) => !output.some((text) => line.test(text))),
      still: moves.filter((part) => !ranges.get(part)?.some(([low, high]) => high - low > MOVED_RAD)),
    };
    await sleep(50);
  } while (signs.missing.length + signs.still.length > 0 && performance.now() < until);
  return signs;
}

async function measuredAngles(daemon: TestDaemon): Promise<Record<TargetPart, readonly number[]>> {
  const { joints, head } = (await daemon.call('getRobot')).pose;
  return { head: head.filter((_, at) => at % 4 < 3), antennas: joints.antennas, bodyYaw: [joints.bodyYaw] };
}

/** @throws Error when it does not run any more */
async function stop(daemon: TestDaemon) {
  const { status, body } = await daemon.post('/api/apps/stop-current-app');
  if (status !== 200) throw new Error(`It ended by itself:\n${(await daemon.output()).join('\n')}`);
  return body;
}

function freeSlot(daemon: TestDaemon) {
  return vi.waitFor(async () => {
    const slot = await daemon.slot();
    if (slot.state !== 'free' || !slot.lastRun) throw new Error(`the slot is ${slot.state}`);
    return { lastRun: slot.lastRun };
  });
}

/** Calls what the page of the settings panel calls. */
async function callPage(daemon: TestDaemon): Promise<void> {
  const page = 'http://127.0.0.1:27142';
  const text = async (path: string) => (await fetch(page + path)).text();
  await vi.waitFor(async () => expect(await text('/')).toContain('Panel'));
  expect(await text('/static/main.js')).toBe('1');
  expect(JSON.parse(await text('/status'))).toEqual({ folder: 'settings_panel', antennas: true });
  const headers = { 'content-type': 'application/json' };
  const off = await fetch(`${page}/antennas`, { method: 'POST', headers, body: '{"enabled":false}' });
  expect(await off.json()).toEqual({ antennas_enabled: false });
  await fetch(`${page}/play_sound`, { method: 'POST' });
  await vi.waitFor(async () => expect(await daemon.output()).toContain('Playing sound...'));
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ settingsPage: 'answers' }));
}
