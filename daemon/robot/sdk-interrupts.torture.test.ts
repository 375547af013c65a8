/** Apps that are stopped (SIGINT) at seeded moments of every call that waits: real Python, the real SDK, the simulated robot. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { gracefulStop } from '../apps/run/process/stop-timeouts.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { lineMatching } from '../testing/daemon/line-matching.ts';
import { projectDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { pythonFromIndex } from '../testing/python/python-from-index.ts';
import { seededRandom } from '../testing/seeded-random.ts';

/** The calls of interrupted_app.py. */
const calls = [
  'goto_target',
  'look_at_world',
  'look_at_image',
  'wake_up',
  'sleep and wake',
  'play_move, recorded',
  'play_move, with a goto',
  'play_move, streamed',
  'async_play_move, recorded',
  'async_play_move, streamed',
  'get_audio_sample',
  'play_sound',
  'get_frame',
  'endpoint.chat',
  'endpoint.chat, streamed',
  'endpoint.embed',
  'download of moves',
  'slow download of moves',
  'get_status',
  'set_target',
  'short requests',
  'find_robots',
  'find_robots beside a daemon that hangs',
  'connect',
  'connect to a daemon that hangs',
  'start',
  'start beside a daemon that hangs',
];
const needNumpy = ['look_at_image', 'get_frame'];

/** By default one stop of each call. */
const stops = Number(process.env['TORTURE_INTERRUPTS'] ?? calls.length);
const seed = Number(process.env['TORTURE_SEED'] ?? 20261123);
const random = seededRandom(seed);
/** The longest time after the app says that it runs. Stops in the first milliseconds are as likely as those in a wait. */
const LATEST_MS = 1_200;

let daemon: TestDaemon;
let stalled: Server;
let stalledUrl: string;
let cacheDir: string;
let python: string;
let hasNumpy: boolean;
const ended: { readonly call: string; readonly afterMs: number }[] = [];

beforeAll(async () => {
  daemon = await startTestDaemon({ wakeUpOnStart: true });
  const numpy = await pythonFromIndex('numpy', childEnvironment(process.env, 'numpy'));
  hasNumpy = 'python' in numpy;
  python = 'python' in numpy ? numpy.python : 'python3';
  if (!hasNumpy) console.warn(`SKIPPED: stops of ${needNumpy.join(', ')}, which need numpy.`);
  // A hub, a model server and a daemon that never answer, or without an end.
  stalled = createServer((request, response) => {
    if (!request.url?.includes('slow-moves')) return;
    response.write('[');
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
  });
  stalled.listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  stalledUrl = `http://127.0.0.1:${(stalled.address() as AddressInfo).port}`;
  cacheDir = await mkdtemp(join(tmpdir(), 'robot-desktop-moves-'));
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
});
afterAll(async () => {
  const sorted = ended.toSorted((a, b) => a.afterMs - b.afterMs);
  const [median, latest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  console.log(
    `${stops} stops with TORTURE_SEED=${seed}: ended after ${median?.afterMs.toFixed()} ms in the median, at the latest ` +
      `after ${latest?.afterMs.toFixed()} ms (${latest?.call})`,
  );
  stalled?.closeAllConnections();
  stalled?.close();
  await daemon?.[Symbol.asyncDispose]();
  if (cacheDir) await rm(cacheDir, { recursive: true, force: true });
});

const all = Array.from({ length: stops }, (_, index) => ({
  number: index + 1,
  call: calls[index % calls.length] as string,
  delayMs: Math.floor(LATEST_MS * random() ** 2),
}));

test.each(all)(
  '$number: an app that is stopped $delayMs ms into $call ends with 0 and in time',
  async ({ call, delayMs }) => {
    if (needNumpy.includes(call) && !hasNumpy) return;
    const program = join(projectDir, 'daemon', 'testing', 'sdk-programs', 'interrupted_app.py');
    const app = execa(python, ['-B', '-u', program, call, stalledUrl], {
      env: {
        PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
        ROBOT_DAEMON_URL: daemon.url,
        ROBOT_HUB_URL: stalledUrl,
        ROBOT_CACHE_DIR: cacheDir,
        ROBOT_ENDPOINT_CHAT_URL: `${stalledUrl}/v1`,
        ROBOT_ENDPOINT_CHAT_MODEL: 'any',
      },
      reject: false,
      timeout: 100_000,
      killSignal: 'SIGKILL',
    });
    await lineMatching(app.stdout, /^running$/);
    await sleep(delayMs);
    const askedAt = performance.now();
    app.kill('SIGINT');
    const { exitCode, stderr } = await app;
    const afterMs = performance.now() - askedAt;
    ended.push({ call, afterMs });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(afterMs).toBeLessThan(gracefulStop.killMs);
  },
);
