/** The steps of a stop and the clean-up after it, with small real programs. */
import { expect, test, vi } from 'vitest';
import { OomKillWatch } from '../../../shared/processes/oom-kills.ts';
import { movableClock } from '../../../testing/movable-clock.ts';
import { AppProcess, RUN_TOKEN_VARIABLE } from './app-process.ts';
import { createMask } from './run-mask.ts';
import { forcedStop } from './stop-timeouts.ts';

const node = (source: string) => [process.execPath, '-e', source] as const;
/** Prints its name at every SIGINT and continues. */
const stubborn = (name: string) =>
  `process.on('SIGINT', () => console.log('${name} SIGINT')); setInterval(() => {}, 1000); console.log('${name} up');`;

async function start(...[file, ...args]: readonly string[]) {
  const lines: string[] = [];
  const clock = movableClock();
  const kernel = { oomKills: 3 };
  const app = await AppProcess.start({
    clock,
    file: file as string,
    args,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', [RUN_TOKEN_VARIABLE]: crypto.randomUUID() },
    onLine: (_stream, text) => lines.push(text),
    mask: createMask(['a-secret-word']),
    oomKills: new OomKillWatch(async () => kernel.oomKills),
  });
  const wrote = (...texts: string[]) =>
    vi.waitFor(() => expect(lines).toEqual(expect.arrayContaining(texts)), { interval: 10 });
  return { clock, kernel, app, lines, wrote };
}

/** For a shell: waits until its last program in the background is that one. */
const UNTIL_SLEEP = 'until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done';

test('processes that outlive the app are killed and reported, in its group and outside of it', async () => {
  const { app } = await start('sh', '-c', `sleep 60 & ${UNTIL_SLEEP}; setsid sleep 61 & ${UNTIL_SLEEP}`);
  const { killedProcesses, ...exit } = await app.exited;
  expect(exit).toMatchObject({ code: 0, killed: false, leftovers: 2 });
  expect(killedProcesses.map(({ command }) => command).sort()).toEqual(['sleep 60', 'sleep 61']);
  expect(await app.alive()).toEqual([]);
});

test('the app gets SIGINT first, then the others of its group without the app, then all are killed', async () => {
  const answering = `process.on('SIGUSR2', () => console.log('child SIGUSR2')); console.log('child', process.pid); ${stubborn('child')}`;
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(answering)}], { stdio: 'inherit' });`;
  const { clock, app, lines, wrote } = await start(...node(stubborn('app') + child));
  await wrote('app up', 'child up');
  const childPid = Number(lines.find((line) => /^child \d+$/.test(line))?.slice('child '.length));
  app.stop({ interruptGroupMs: 600_000, killMs: 1_200_000 });
  await wrote('app SIGINT');
  await clock.pass(500_000, 500_000);
  process.kill(childPid, 'SIGUSR2'); // its answer would come after that to a SIGINT
  await wrote('child SIGUSR2');
  expect(lines).not.toContain('child SIGINT');
  await clock.pass(100_000, 100_000);
  await wrote('child SIGINT');
  expect(await app.alive()).toHaveLength(2);
  await clock.pass(600_000, 600_000);
  expect(await app.exited).toMatchObject({ signal: 'SIGKILL', killed: true });
  expect(lines.filter((line) => line.endsWith('SIGINT'))).toEqual(['app SIGINT', 'child SIGINT']);
  expect(await app.alive()).toEqual([]);
});

test('the variables that have a value are known by name', async () => {
  const { app } = await start(...node('process.exit(0)'));
  expect(app.variablesSet).toEqual(['PATH', RUN_TOKEN_VARIABLE]);
  await app.exited;
});

test('a forced stop does not wait for the time-out of the stop before', async () => {
  const { app, wrote } = await start(...node(stubborn('app')));
  await wrote('app up');
  app.stop({ interruptGroupMs: 2_000, killMs: 60_000 });
  await wrote('app SIGINT');
  app.stop(forcedStop);
  expect(await app.exited).toMatchObject({ killed: true, killedProcesses: [{ pid: app.pid }] });
});

test('live processes are listed by command lines, on one line, shortened, without secrets', async () => {
  const source = `setInterval(() => {}, 1000); console.log('up');\n\n// a-secret-word ${'x'.repeat(200)}`;
  const { app, wrote } = await start(...node(source));
  await wrote('up');
  const [alive] = await app.alive();
  expect(alive?.pid).toBe(app.pid);
  expect(alive?.command).toMatch(/^node -e setInterval\(\(\) => \{\}, 1000\); console\.log\('up'\); \/\/ •••••• x+…$/);
  expect(alive?.command).toHaveLength(120);
  app.stop(forcedStop);
  await app.exited;
});

test.each([
  ['an hour', 3_600_000, false],
  ['a moment', 0, true],
])('a kill for want of memory %s before the end of the app', async (_, ms, isOutOfMemory) => {
  const { app, clock, kernel, wrote } = await start(...node(stubborn('app')));
  await wrote('app up');
  await clock.pass(60_000, 10_000);
  kernel.oomKills = 4;
  await clock.pass(ms, 600_000);
  process.kill(app.pid, 'SIGKILL');
  expect(await app.exited).toMatchObject({ signal: 'SIGKILL', killed: false, isOutOfMemory });
});
