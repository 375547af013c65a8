/** Text of strangers in the log of a real daemon and in what the commands print. */
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { writeAppPackage } from '../testing/apps/app-packages.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { fixtureApp, newDataDir } from '../testing/daemon/test-daemon.ts';

/** A forged entry of the log or row of a table, and sequences that steer terminals. */
const HOSTILE = '\n05:00:00.000 info  forged\r\n  robot        forged\u001b[31m\u0007\u009b2J\u202e\u2028\u0085forged';
/** Line feeds are checked by line. */
const STEERS = /[^\P{Cc}\n]|[\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

let dataDir: string;
let daemon: DaemonProcess;
let log = '';
beforeAll(async () => {
  dataDir = join(await newDataDir(), 'data\u001b[32m');
  await mkdir(dataDir);
  daemon = await startDaemonProcess(dataDir, ['--log-level', 'debug']);
  daemon.process.stderr.on('data', (chunk) => (log += chunk));
});
afterAll(async () => {
  await daemon?.kill();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

const post = (path: string, body: unknown, headers = {}) =>
  fetch(daemon.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function jobsEnded(): Promise<void> {
  const jobs = (await (await fetch(`${daemon.url}/api/jobs`)).json()) as { endedAt: string | null }[];
  if (jobs.some(({ endedAt }) => endedAt === null)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return jobsEnded();
  }
}

test('requests forge no line of the log, and no escape of theirs reaches it', async () => {
  const hidden = encodeURIComponent(HOSTILE);
  // An address with control characters is refused; other separators and overrides are names of folders.
  const folder = join(dataDir, '..', 'no\u2028\u202e05:00:00.000 info  forged');
  await mkdir(folder);
  expect((await post('/api/apps/install', { url: `file:///x${hidden}` })).status).toBe(400);
  expect((await post('/api/apps/install', { url: 'file:///x%00' })).status).toBe(400);
  expect((await post('/api/apps/install', { url: folder })).status).toBe(202);
  for (const path of ['/api/jobs/', '/api/apps/start-app/', '/api/', '/v1/']) {
    await fetch(`${daemon.url}${path}${hidden}`, { headers: { 'User-Agent': 'x\u009b' } });
  }
  await jobsEnded();
  await expect.poll(() => log).toContain('forged');
  expect(log).not.toMatch(STEERS);
  for (const line of log.split('\n').filter(Boolean))
    expect(line).toMatch(/^(?!05:00)\d\d:\d\d:\d\d\.\d{3} \w+ |^ {4}at /);
});

test('the commands print the name of a program, paths and findings as text', async () => {
  const program = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`);
  const say = (message: object) => program.send(JSON.stringify(message));
  await once(program, 'open');
  say({ type: 'hello', protocol: 1, sdkVersion: '0.1.0', runToken: null, clientName: HOSTILE });
  const holds = async () => {
    say({ type: 'goto_target', id: '1', antennas: [0.5, -0.5], durationS: 30 }); // refused until the robot is awake
    expect(await (await fetch(`${daemon.url}/api/apps/slot`)).text()).toContain('forged');
  };
  const status = await vi.waitFor(
    async () => {
      await holds();
      const { code, text } = await runCli('status', '--data-dir', dataDir);
      expect(code).toBe(0);
      expect(text, 'the program still holds the robot').toContain('forged');
      return text;
    },
    { interval: 100 },
  );
  expect(status.match(/^ {2}(?:robot|app) .*/gm)).toHaveLength(2);
  expect(status).toContain('\\n05:00:00.000 info  forged\\r\\n');
  expect(status).not.toMatch(STEERS);
  program.terminate();

  await mkdir(join(dataDir, 'apps', 'x\u001b[31m\nforged'), { recursive: true });
  await writeFile(join(dataDir, 'jobs.json.\u009b.tmp'), '');
  for (const args of [['doctor'], ['doctor', '--json'], ['model', 'ls'], ['model', 'rm', HOSTILE], [HOSTILE]]) {
    const run = await runCli(...args, '--data-dir', dataDir);
    expect(run.text, args.join(' ')).not.toMatch(STEERS);
    expect(run.text, args.join(' ')).not.toMatch(/^ *(?:05:00|robot {2})/m);
    if (args.includes('--json')) expect(JSON.parse(run.out)).toMatchObject({ dataDir });
  }
});

test('an install from a folder with several apps names the address of each', async () => {
  const several = join(dataDir, '..', 'several');
  for (const name of ['bow', 'nod']) await writeAppPackage(several, { name, subdirectory: name });
  const { code, out } = await runCli('install', several, '--data-dir', dataDir);
  expect({ code, out }).toEqual({
    code: 1,
    out: `Nothing was installed. The apps are in folders below: bow, nod. Choose one of them.\n  bow: ${join(several, 'bow')}\n  nod: ${join(several, 'nod')}\n`,
  });
});

test('an install says on standard error which step has begun, and its result on standard output', async () => {
  const { code, out, text } = await runCli('install', fixtureApp('polite'), '--data-dir', dataDir);
  expect({ code, out }).toEqual({ code: 0, out: 'polite is installed.\n' });
  for (const step of ['Inspect the source…', 'Build the environment…', 'Activate the app…']) {
    expect(text.split(`${step}\n`), step).toHaveLength(2);
  }
  const asJson = await runCli('install', fixtureApp('polite'), '--json', '--data-dir', dataDir);
  expect(asJson.text).not.toContain('…\n');
  expect(JSON.parse(asJson.out)).toMatchObject({ state: 'done', appName: 'polite' });
});

test('a refused install tells the reason once', async () => {
  expect(await runCli('install', 'my-app', '--data-dir', dataDir)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^robot-daemon: This is neither (?:(?!neither).)*a folder\.\s*$/),
  });
});
