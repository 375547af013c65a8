import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { signalProcess } from '../shared/processes/processes.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { startRunner } from '../testing/models/start-runner.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';

test('its health is 503 while the model loads, then 200; it runs with low priority and logs no prompt', async () => {
  await using runner = await startRunner();
  const first = vi.waitFor(() => Promise.all([runner.get('/health'), runner.get('/v1/models')]), {
    ...{ timeout: 30_000, interval: 5 },
  });
  expect(await first).toMatchObject([
    { status: 503, body: { status: 'loading model' } },
    { status: 503, body: { error: { code: 'model_loading' } } },
  ]);
  await runner.healthy();
  expect(await runner.get('/health')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(getPriority(runner.child.pid)).toBe(10);
  await runner.post('/v1/completions', { prompt: 'a secret', max_tokens: 2 });
  signalProcess(runner.child.pid, 'SIGTERM');
  expect(await runner.child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await runner.output).toEqual({
    stdout: expect.stringMatching(/^The model is loaded after [\d.]+ s: generation, context of 512 tokens\.\n$/),
    stderr: '',
  });
  expect(existsSync(runner.socketPath)).toBe(false);
});

test('it is gone at once when its parent is killed, while it generates', async () => {
  const folder = temporaryFolder();
  const helper = join(projectDir, 'daemon', 'testing', 'models', 'start-runner.ts');
  const parent = `const { startRunner } = await import(${JSON.stringify(helper)});
    const runner = await startRunner({}, { contextLength: 100_000 });
    await runner.healthy();
    const events = runner.stream('/v1/completions', { prompt: 'a' });
    await events.next();
    console.log(runner.child.pid);`;
  const running = execa(process.execPath, ['--input-type=module', '--eval', parent], {
    reject: false,
    cleanup: false,
    env: { TMPDIR: folder },
  });
  const pid = await new Promise<number>((resolve) => running.stdout.once('data', (line) => resolve(Number(line))));
  expect(await startTimeOf(pid)).not.toBeNull();
  running.kill('SIGKILL');
  await expect.poll(() => startTimeOf(pid), { interval: 10 }).toBeNull();
});

test('a runner starts on the socket that a killed one left', async () => {
  await using killed = await startRunner();
  await killed.healthy();
  signalProcess(killed.child.pid, 'SIGKILL');
  await killed.child.exited;
  expect(existsSync(killed.socketPath)).toBe(true);
  await using next = await startRunner({ socketPath: killed.socketPath });
  await next.healthy();
  expect((await next.get('/v1/models')).status).toBe(200);
});

test.each([
  ['is missing', null, {}, 'ENOENT'],
  ['is no GGUF', Buffer.from('hello, this is text'), {}, 'GGUF'],
  ['is cut in the middle', tinyGguf().subarray(0, 300_000), {}, 'not within the file bounds'],
  ['has no classifier output', tinyGguf(), { mode: 'reranking' }, 'no classifier output'],
])('a model that %s ends it with 1 and a line that says why', async (_, content, options, reason) => {
  const modelPath = join(temporaryFolder(), 'model.gguf');
  if (content !== null) writeFileSync(modelPath, content);
  await using runner = await startRunner({ modelPath, ...options });
  expect(await runner.child.exited).toEqual({ code: 1, signal: null });
  const last = (await runner.output).stderr.trimEnd().split('\n').at(-1);
  expect(last).toMatch(/^The model cannot be served: /);
  expect(last).toContain(reason);
});

test('an argument that is not valid ends it with 2', async () => {
  await using runner = await startRunner({ mode: 'painting' });
  expect(await runner.child.exited).toEqual({ code: 2, signal: null });
  expect((await runner.output).stderr).toContain('mode');
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runner-life-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
