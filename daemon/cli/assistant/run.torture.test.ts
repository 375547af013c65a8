/** `robot-app-assistant run` on a real daemon: an app from its author's folder, with changes, problems and signals. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { type CliProcess, runAssistant, startAssistant } from '../../testing/daemon/run-cli.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
let parent: string;
let folder: string;
let main: string;

const code = (body: string) => `import sys
import threading

from robot import Robot, RobotApp


class Blinky(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
${body
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}


if __name__ == "__main__":
    app = Blinky()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;
const speaks = (word: string) =>
  code(
    `print("${word}", flush=True)\nprint("${word} on stderr", file=sys.stderr, flush=True)\nstop_event.wait()\nprint("bye", flush=True)`,
  );

const deaf = code(
  'import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint("deaf", flush=True)\nwhile True: time.sleep(0.1)',
);

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'robot desktop run '));
  daemon = await startTestDaemon();
  await writeAppPackage(parent, { name: 'blinky', subdirectory: 'blinky', className: 'Blinky' });
  folder = join(parent, 'blinky');
  main = join(folder, 'blinky', 'main.py');
  await writeFile(main, speaks('one'));
}, 60_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(parent, { recursive: true, force: true });
});

interface Follower extends CliProcess {
  readonly out: () => string;
  readonly err: () => string;
}
/** Starts the command; colours are off, since its output is no terminal. */
function run(...more: string[]): Follower {
  const started = startAssistant(['run', folder, '--data-dir', daemon.dataDir, ...more]);
  let [out, err] = ['', ''];
  started.process.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  started.process.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return { ...started, out: () => out, err: () => err };
}
const shows = (text: () => string, part: string | RegExp) =>
  vi.waitFor(() => expect(text()).toMatch(part), { timeout: 60_000, interval: 50 });

test('the app runs from its folder; a change reloads it, a fault does not, and Ctrl-C stops it', {
  tags: ['smoke'],
}, async () => {
  const app = run();
  await shows(app.out, /^one\n$/);
  await shows(app.err, 'one on stderr\n');
  expect(app.err()).toContain('blinky runs from its folder.');
  expect(app.err()).toContain('Build the environment…\n');

  await writeFile(main, speaks('two'));
  await shows(app.err, /^Reloaded \(1\)/m);
  await shows(app.out, /^one\nbye\ntwo\n$/);

  await writeFile(main, 'def (\n');
  await shows(app.err, /^blinky\/main\.py:1: problem: .*\(syntax-error\)$/m);
  expect(app.err()).toContain('Not reloaded: the earlier code still runs:');
  expect(app.out()).toBe('one\nbye\ntwo\n');

  await writeFile(main, speaks('three'));
  await shows(app.out, /^one\nbye\ntwo\nbye\nthree\n$/);
  app.process.kill('SIGINT');
  expect((await app.ended).code).toBe(0);
  expect(app.out()).toBe('one\nbye\ntwo\nbye\nthree\nbye\n');
  expect(app.err()).toContain('Stopping it…');
  expect(await daemon.slot()).toMatchObject({ state: 'free', lastRun: { outcome: 'stopped' } });
});

test('a folder without an app ends it with exit code 1, and the daemon does not remember it', async () => {
  const before = await daemon.call('listOwnApps');
  const { code, text } = await startAssistant(['run', parent, '--data-dir', daemon.dataDir]).ended;
  expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(`There is no app in ${parent}.`) });
  expect(await daemon.call('listOwnApps')).toEqual(before);
}, 60_000);

test('one that crashes waits for a change, and tells the line', async () => {
  await writeFile(main, code('raise RuntimeError("no flux")'));
  const app = run();
  await shows(app.err, /blinky: It crashed: .*no flux/);
  await shows(app.err, 'Waiting: the next change of a file starts it.');
  expect(app.err()).toContain('blinky/main.py:9: raise RuntimeError("no flux")');
  expect(app.err().match(/Traceback/g), 'the output has it already').toHaveLength(1);
  await writeFile(main, speaks('fixed'));
  await shows(app.out, /fixed\n/);
  await shows(app.err, /^Reloaded \(1\)/m);
  app.process.kill('SIGTERM');
  expect((await app.ended).code).toBe(0);
}, 120_000);

test('stopped from elsewhere, it ends with the outcome: 0, or 1 when it was killed', async () => {
  for (const [source, force, outcome] of [
    [speaks('one'), false, 'Stopped.'] as const,
    [deaf, true, 'force-stopped'] as const,
  ]) {
    await writeFile(main, source);
    const app = run();
    await shows(app.out, /one\n|deaf\n/);
    await daemon.call('stopCurrentApp', { query: { force } });
    const { code, text } = await app.ended;
    expect({ code, text }).toEqual({ code: force ? 1 : 0, text: expect.stringContaining(outcome) });
  }
}, 120_000);

test('a second Ctrl-C kills an app that does not stop', async () => {
  await writeFile(main, deaf);
  const app = run();
  await shows(app.out, /deaf\n/);
  app.process.kill('SIGINT');
  await shows(app.err, 'Stopping it…');
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'stopping' }), 20_000);
  app.process.kill('SIGINT');
  expect((await app.ended).code).toBe(1);
  expect(app.err()).toContain('Killing it…');
  expect(await daemon.slot()).toMatchObject({ state: 'free', lastRun: { outcome: 'killed' } });
}, 120_000);

test('another app that runs is replaced only when that is asked for', async () => {
  await writeFile(main, speaks('one'));
  await daemon.install(fixtureApp('polite'));
  await daemon.call('startApp', { params: { appName: 'polite' } });
  const refused = await run().ended;
  expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/"polite".*Or give --replace\./) });
  const app = run('--replace');
  await shows(app.out, /one\n/);
  app.process.kill('SIGINT');
  expect((await app.ended).code).toBe(0);
}, 120_000);

test('without a daemon it says how to start one, with code 3', async () => {
  const { code, text } = await runAssistant(['run', folder, '--data-dir', join(parent, 'nothing')]);
  expect(code).toBe(3);
  expect(text).toMatch(/^No robot daemon runs on .*nothing\. Start one in another terminal: .* --auto --data-dir /);
});

test('a stop of the daemon ends it like a stop of the app', async () => {
  await writeFile(main, speaks('one'));
  const app = run();
  await shows(app.out, /one\n/);
  await daemon.stop();
  expect(await app.ended).toMatchObject({ code: 0, text: expect.stringContaining('blinky: Stopped.') });
  expect(await readFile(main, 'utf8')).toBe(speaks('one'));
}, 60_000);
