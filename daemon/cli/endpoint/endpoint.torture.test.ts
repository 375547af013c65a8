/** The command `robot-daemon endpoint`, on a daemon that serves a tiny model with the bundled program. */
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { EndpointDetail, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import type { EndpointLog } from '../../contract/endpoints/endpoint-log.ts';
import { runCli, startCli } from '../../testing/daemon/run-cli.ts';
import { newDataDir, robotDaemonProgram, sampleApp } from '../../testing/daemon/test-daemon.ts';
import type { EndpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { startTinyModelsDaemon, type TinyModelsDaemon } from '../../testing/endpoints/tiny-models-daemon.ts';

let served: TinyModelsDaemon;
let poet: EndpointClient;
let dataDir: string;

beforeAll(async () => {
  served = await startTinyModelsDaemon({ llamaServer: 'none' });
  dataDir = served.checked.daemon.dataDir;
  poet = await served.serve('poet');
}, 120_000);
afterAll(() => served?.[Symbol.asyncDispose]());

const endpoint = (...args: string[]) => runCli('endpoint', ...args, '--data-dir', dataDir);
/** The command with text on its standard input. */
const piped = (input: string, ...args: string[]) =>
  execa(process.execPath, [robotDaemonProgram, 'endpoint', ...args, '--data-dir', dataDir], { input, reject: false });
const tokens = async () =>
  (JSON.parse(await readFile(join(dataDir, 'tokens.json'), 'utf8')) as { tokens: { name: string }[] }).tokens.map(
    ({ name }) => name,
  );

test('endpoints are listed and shown, as text and as JSON', async () => {
  const { code, out } = await endpoint('ls');
  expect(code).toBe(0);
  expect(out).toMatch(/^NAME +STATE +MODEL +REQUESTS +ADDRESS\nlab\/poet +running +ada\/poet \(.+\) +\d+ +http/);
  const [listed] = JSON.parse((await endpoint('ls', '--json')).out) as OwnEndpoint[];
  expect(listed).toMatchObject({ namespace: 'lab', endpoint: { name: 'poet' } });

  const shown = await endpoint('show', 'lab/poet');
  expect(shown.out).toMatch(/^lab\/poet\n {2}state +running: Ready\.\n {2}model +ada\/poet /);
  expect(shown.out).toMatch(/ {2}replicas +process \d+ \(ready, 0 requests, [\d.]+ .B\b.*\)\n/);
  expect(shown.out).toMatch(/ {2}balancing +to any replica\n {2}cache +off\n/);
  expect(JSON.parse((await endpoint('show', 'poet', '--json')).out)).toMatchObject({ report: { failure: null } });
});

test('settings are changed while it goes on, and a refusal names the one that is wrong', async () => {
  const changed = await endpoint('set', 'poet', '--sleep-after', '20', '--balance', 'sticky', '--cache', 'on');
  expect(changed).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^lab\/poet is \w+; replicas: 0 to 1, asleep after 20 min without requests; requests go to the same replica for each caller; answers are kept; web pages: none but the dashboard's\.\n$/,
    ),
  });
  const shown = await endpoint('show', 'poet');
  expect(shown.out).toMatch(/ {2}balancing +to the same replica for each caller\n {2}cache +on: no request answered\n/);
  expect((await poet.get()).cacheHttpResponses).toBe(true);
  expect(await endpoint('set', 'poet', '--cache', 'off', '--balance', 'random')).toMatchObject({ code: 0 });

  const refused = await endpoint('set', 'poet', '--min-replicas', '3');
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('is more than maxReplica') });
  const tooMany = await endpoint('set', 'poet', '--max-replicas', '33');
  expect(tooMany).toMatchObject({ code: 1, text: expect.stringContaining('One machine runs at most 32 replicas') });
  for (const [args, text] of [
    [[], 'endpoint set needs a setting'],
    [['--cache', 'maybe'], "--cache must be on or off, not 'maybe'."],
    [['--measure', 'hardware', '--threshold', '101'], 'a percentage from 0 to 100'],
  ] as const) {
    const wrong = await endpoint('set', 'poet', ...args);
    expect(wrong, args.join(' ')).toMatchObject({ code: 2, text: expect.stringContaining(text) });
  }
});

test('the log of its processes is printed', async () => {
  const { code, out } = await endpoint('logs', 'poet');
  expect(code).toBe(0);
  expect(out).not.toBe('');
  const { lines } = JSON.parse((await endpoint('logs', 'poet', '--json')).out) as { lines: string[] };
  expect(lines.length).toBeGreaterThan(0);
});

test('as many lines of the log are printed as are wanted, and those that come', async () => {
  const { lines } = JSON.parse((await endpoint('logs', 'poet', '--json')).out) as EndpointLog;
  const texts = lines.map(({ text }) => `${text}\n`);
  expect((await endpoint('logs', 'poet', '--lines', '2')).out).toBe(texts.slice(-2).join(''));
  expect((await endpoint('logs', 'poet', '--lines', '0')).out).toBe('');
  expect((await endpoint('logs', 'poet', '--lines', '99999')).out).toBe(texts.join(''));

  const before = await tokens();
  const { process: child, ended } = startCli(
    'endpoint',
    'logs',
    'poet',
    '--lines=1',
    '--follow',
    '--data-dir',
    dataDir,
  );
  let out = '';
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
  });
  await vi.waitFor(() => expect(out).toBe(texts.slice(-1).join('')), 20_000);
  await endpoint('sleep', 'poet');
  await endpoint('wake', 'poet');
  const after = JSON.parse((await endpoint('logs', 'poet', '--json')).out) as EndpointLog;
  expect(after.last).toBeGreaterThan(lines.length);
  await vi.waitFor(() => expect(out.split('\n')).toHaveLength(after.last - lines.length + 2), 20_000);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await tokens()).toEqual(before);
});

test('a model is asked by an argument or by standard input, and its answer alone is the output', async () => {
  const settings = ['--temperature', '0', '--max-tokens', '8'];
  const said = await endpoint('chat', 'poet', 'Hello', ...settings);
  expect(said.code).toBe(0);
  const json = await endpoint('chat', 'poet', 'Hello', ...settings, '--json');
  const { answer, finishReason, tokens: counted } = JSON.parse(json.out);
  expect(answer).not.toBe('');
  expect({ finishReason, counted }).toEqual({
    finishReason: 'length',
    counted: { prompt: expect.any(Number), answer: 8 },
  });
  expect(said.out.length).toBeGreaterThan(0);
  expect(said.text).toContain('cut off at --max-tokens');
  const read = await piped('Hello', 'chat', 'poet', ...settings);
  expect({ code: read.exitCode, out: read.stdout }).toEqual({ code: 0, out: said.out.replace(/\n$/, '') });
  expect(await piped('', 'chat', 'poet')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('empty') });
});

test('an interrupt ends the command with code 130, and its token with it', async () => {
  const before = await tokens();
  const { process: child, ended } = startCli('endpoint', 'chat', 'poet', '--data-dir', dataDir);
  await vi.waitFor(async () => expect(await tokens()).toHaveLength(before.length + 1), 20_000);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await tokens()).toEqual(before);
});

test('a reader that ends early, such as head, ends the command without a word, and its token with it', async () => {
  const before = await tokens();
  for (const args of [['chat', 'poet', 'Hello'], ['logs', 'poet'], ['--help']]) {
    const { process: child } = startCli('endpoint', ...args, '--data-dir', dataDir);
    if (args[0] === 'chat') await once(child.stdout, 'data');
    child.stdout.destroy();
    const { exitCode, signal, stderr } = await child;
    expect({ exitCode, signal, stderr }, args.join(' ')).toEqual({ exitCode: 0, signal: undefined, stderr: '' });
  }
  expect(await tokens()).toEqual(before);
});

test('an endpoint is put to sleep, paused, woken and deleted; a delete asks first', async () => {
  expect(await endpoint('sleep', 'poet')).toMatchObject({
    code: 0,
    out: 'lab/poet is asleep. The next request wakes it.\n',
  });
  expect((await endpoint('ls')).out).toMatch(/^lab\/poet +asleep /m);
  expect((await endpoint('show', 'poet')).out).toMatch(/^ {2}state +asleep: /m);
  expect(await endpoint('pause', 'poet')).toMatchObject({
    code: 0,
    out: 'lab/poet is paused. To use it again: robot-daemon endpoint wake poet\n',
  });
  expect(await endpoint('chat', 'poet', 'Hello')).toMatchObject({ code: 1, text: expect.stringContaining('paused') });
  const woken = await endpoint('wake', 'poet');
  expect(woken).toMatchObject({ code: 0, out: expect.stringMatching(/^lab\/poet answers at http.*\n$/) });
  expect((await poet.get()).status.state).toBe('running');
  expect((await endpoint('wake', 'poet')).code).toBe(0);
  const { life } = (await served.checked.ask('GET', '/api/endpoints/lab/poet')).body as EndpointDetail;
  expect(life.map(({ cause }) => cause)).toEqual(
    expect.arrayContaining(['The terminal put it to sleep.', 'The terminal paused it.', 'The terminal resumed it.']),
  );
  expect((await poet.get()).status.updatedBy).toEqual({ id: 'terminal', name: 'terminal' });

  await served.checked.daemon.install(sampleApp('chat_reply'));
  const assignment = { endpoint: { namespace: 'lab', name: 'poet' } };
  const assigned = await served.checked.ask('PUT', '/api/apps/installed/chat_reply/needs/chat', { body: assignment });
  expect(assigned.status).toBe(200);

  const asked = await piped('', 'rm', 'poet');
  expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('give --yes') });
  expect((await poet.get()).status.state).toBe('running');
  expect(await endpoint('rm', 'poet', '--yes')).toMatchObject({
    code: 0,
    out:
      'lab/poet is deleted. The files of its model stay on this machine. chat_reply loses it: choose another endpoint ' +
      'on its page in the dashboard.\n',
  });
  expect(await endpoint('ls')).toMatchObject({ code: 0, out: 'No endpoints.\n' });
});

test('bad names and arguments are refused with a sentence', async () => {
  for (const args of [[], ['show'], ['rm', 'a', '--system', 'x'], ['chat', 'poet', 'Hi', '--temperature', 'warm']])
    expect((await endpoint(...args)).code, args.join(' ')).toBe(2);
  for (const tokens of ['0', '1.5', '-1', 'many']) {
    const refused = await endpoint('chat', 'poet', 'Hi', `--max-tokens=${tokens}`);
    expect(refused, tokens).toMatchObject({ code: 2, text: expect.stringContaining('--max-tokens needs a ') });
  }
  for (const lines of ['-1', '1.5', 'all', '']) {
    const refused = await endpoint('logs', 'poet', `--lines=${lines}`);
    expect(refused, lines).toMatchObject({ code: 2, text: expect.stringContaining('--lines needs a ') });
  }
  expect(await endpoint('show', 'poet', '--follow')).toMatchObject({
    code: 2,
    text: expect.stringContaining('--follow is for endpoint logs.'),
  });
  const unknown = await endpoint('resume', 'poet');
  expect(unknown).toMatchObject({
    code: 2,
    text: expect.stringContaining("endpoint has no command 'resume': it needs ls,"),
  });
  for (const name of ['other/poet', '\u001b[31m']) {
    const refused = await endpoint('show', name);
    expect(refused, name).toMatchObject({ code: 1, text: expect.stringContaining('There is no endpoint') });
    expect(refused.text).not.toContain('\u001b');
  }
  expect((await runCli('endpoint', '--help')).code).toBe(0);
});

test('without a daemon it says so, with code 3', async () => {
  const elsewhere = await newDataDir([]);
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
  expect(await runCli('endpoint', 'ls', '--data-dir', elsewhere)).toMatchObject({
    code: 3,
    text: expect.stringContaining('No robot daemon runs'),
  });
});
