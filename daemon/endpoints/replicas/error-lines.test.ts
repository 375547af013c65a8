import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorLines } from './error-lines.ts';

/** Lines as programs wrote them, each after `E|` if a person takes it for one of an error, else after ` |`. */
test.each(['llama-server', 'python'])('the errors of a recorded log of %s differ from its other lines', (name) => {
  const recorded = readFileSync(join(import.meta.dirname, 'recordings', `${name}.txt`), 'utf8')
    .split('\n')
    .slice(0, -1);
  const isError = errorLines();
  expect(recorded.map((line) => `${isError(line.slice(2)) ? 'E' : ' '}${line.slice(1)}`)).toEqual(recorded);
});

const isErrorLine = (text: string) => errorLines()(text);

test.each([
  ['E load: no such file', true],
  ['(EngineCore_0 pid=12) ERROR 07-12 10:00:00 [core.py:396] the engine did not start', true],
  ['(APIServer pid=1) INFO 07-12 10:00:00 [launcher.py:1] Route: /error, Methods: POST', false],
  ['WARNING 07-12 10:00:00 [config.py:793] could not find a chat template', false],
  ['2026-03-06T17:53:31.052Z ERROR shard-manager: launcher: the shard ended rank=0', true],
  ['2026-03-06T17:53:31.149Z  INFO launcher: shutting down after a failed start', false],
  ['\u001b[2m2026-03-06T17:53:31Z\u001b[0m \u001b[31mERROR\u001b[0m launcher: it ended', true],
  ['[2026-03-06 10:00:00 +0000] [123] [ERROR] Worker (pid:5) was sent SIGKILL!', true],
  ['[2026-03-06 10:00:00 +0000] [123] [INFO] no worker failed', false],
  ['[2026-03-06 10:00:00 TP0] Scheduler hit an exception', true],
  ['[03/06/2026-10:00:00] [LLM] [E] the plan file has another version', true],
  ['[03/06/2026-10:00:00] [LLM] [W] a failed attempt', false],
  ['E0719 12:00:00.123456 1234 server.cc:12] the model has no config', true],
  ['I0719 12:00:00.123456 1234 server.cc:12] failed_requests is 3', false],
  ['[W703 12:00:00.1 socket.cpp:1] The client socket has failed to connect', false],
  ['[E ProcessGroup.cpp:828] [Rank 0] Watchdog caught a timeout', true],
  ['time=2026-03-06T10:00:00Z level=ERROR source=server.go:5 msg="the model is gone"', true],
  ['time=2026-03-06T10:00:00Z level=INFO source=server.go:5 msg="retry: it failed"', false],
  ['{"timestamp":"2026-03-06T10:00:00Z","level":"ERROR","message":"the model is gone"}', true],
  ['{"timestamp":"2026-03-06T10:00:00Z","level":"INFO","message":"error: none"}', false],
  ['main: error: the model is gone', true],
  ['fatal: the model is gone', true],
  ['warn: the model has no end token, generation cannot stop by itself', false],
])('the level that a line is marked with decides: %s', (text, expected) => {
  expect(isErrorLine(text)).toBe(expected);
});

test.each([
  ['ggml_backend_alloc: out of memory', true],
  ['terminate called after throwing an exception', true],
  ['The model cannot be served: its file is damaged.', true],
  ['srv update_slots: all slots are idle', false],
  ['main: server is listening on unix://x.sock', false],
  ['terrorist attack on errorless text', false],
  ['done with 0 errors', false],
  ['requests failed: 0', false],
  ['requests failed: 3', true],
  ['', false],
])('without a mark the words decide: %s', (text, expected) => {
  expect(isErrorLine(text)).toBe(expected);
});

test('a traceback of a process with its name before each line is one of errors', () => {
  const isError = errorLines();
  const lines = [
    'Traceback (most recent call last):',
    '  File "a.py", line 1',
    '    level="info"',
    'KeyError: 1',
    'ready',
  ];
  expect(lines.map((line) => isError(`(APIServer pid=1) ${line}`))).toEqual([true, true, true, true, false]);
});

test('a long line of any characters is judged at once', () => {
  const isError = errorLines();
  const begun = performance.now();
  for (const part of ['[a] ', '2026-01-01 10:00:00 - ', 'a.b:', '{"level"', ' - ', 'no ', 'failed '])
    isError(part.repeat(4_000));
  expect(performance.now() - begun).toBeLessThan(1_000);
});
