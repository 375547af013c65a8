import { chmod, mkdir, mkdtemp, open, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { ggufReader } from '../testing/models/model-files-in.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';
import type { ModelFileError } from './errors.ts';
import { GgufCheck } from './gguf-check.ts';

const never = new AbortController().signal;
const tiny = tinyGguf();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-gguf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const check = (path: string) => new GgufCheck(systemClock, ggufReader).check(path, never);
async function fileOf(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
async function refusal(path: string): Promise<string> {
  const error = await check(path).then(
    () => 'none',
    (thrown: ModelFileError) => thrown,
  );
  if (typeof error === 'string') return error;
  expect(`${error.message} ${error.action}`).toMatch(/^.+[.] [A-Z].*[.]$/);
  return `${error.kind}: ${error.message}`;
}

test('a model has the facts in its header', async () => {
  expect(await check(await fileOf('tiny.gguf', tiny))).toEqual({
    architecture: 'llama',
    name: 'tiny',
    parameterCount: expect.any(Number),
    contextLength: 512,
    shape: { layers: 2, kvHeads: 2, headDim: 16 },
    fileType: expect.toBeOneOf([null, 'F32']),
    hasChatTemplate: true,
    pooling: null,
    isClassifier: false,
    sizeBytes: tiny.length,
  });
  const ranks = await check(await fileOf('rank.gguf', tinyGguf({ isReranker: true, chatTemplate: null })));
  expect(ranks).toMatchObject({ isClassifier: true, hasChatTemplate: false });
  expect((await check(await fileOf('mean.gguf', tinyGguf({ poolingType: 1 })))).pooling).toBe('mean');
});

test('bytes after the last tensor do no harm', async () => {
  const longer = await fileOf('longer.gguf', Buffer.concat([tiny, Buffer.from('<html>left over</html>')]));
  expect((await check(longer)).sizeBytes).toBe(tiny.length + 22);
});

test.each([4, 20, 24, 200, 3_000, 100_000, tiny.length - 64])('a file cut to %i bytes is cut off', async (bytes) => {
  expect(await refusal(await fileOf('cut.gguf', tiny.subarray(0, bytes)))).toMatch(
    /^truncated: cut\.gguf is cut off: /,
  );
});

describe('no model is', () => {
  test.each<[string, Buffer | string, string]>([
    ['an empty file', '', 'truncated: x.gguf is empty.'],
    ['a text', 'hello', 'not-gguf: x.gguf is not a GGUF file.'],
    ['a web page', '\n<!DOCTYPE html><p>Sign in', 'not-gguf: x.gguf is a web page, not a model.'],
    [
      'a pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
      'not-gguf: x.gguf only points to a large file.',
    ],
    ['noise', Buffer.alloc(10_000, 0xaa), 'not-gguf: x.gguf is not a GGUF file.'],
    [
      'an unknown version',
      Buffer.concat([Buffer.from('GGUF\x09\0\0\0'), Buffer.alloc(100)]),
      'not-gguf: x.gguf has the version 9 of GGUF, which is unknown here.',
    ],
    [
      'big-endian',
      Buffer.concat([Buffer.from('GGUF\0\0\0\x03'), Buffer.alloc(100)]),
      'not-gguf: x.gguf has big-endian numbers.',
    ],
  ])('%s', async (_what, content, expected) => {
    expect(await refusal(await fileOf('x.gguf', content))).toBe(expected);
  });

  test('a header of noise after its beginning', async () => {
    const noise = Buffer.concat([tiny.subarray(0, 60), Buffer.alloc(200_000, 0xee)]);
    expect(await refusal(await fileOf('x.gguf', noise))).toMatch(/^not-gguf: x\.gguf has a damaged header: /);
  });

  test('a folder, a missing file, a named pipe', async () => {
    const sub = join(folder, 'sub');
    await mkdir(sub);
    expect(await refusal(sub)).toMatch(/^unreadable: .* is a folder\.$/);
    expect(await refusal(join(folder, 'gone.gguf'))).toMatch(/^missing: There is no file /);
    expect(await refusal(join(folder, 'rank.gguf', 'below'))).toMatch(/^missing: /);
    if (process.platform === 'win32') return;
    const pipe = join(folder, 'pipe');
    await execa('mkfifo', [pipe]);
    expect(await refusal(pipe)).toMatch(/^unreadable: .* is not a regular file\.$/);
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'a file without permission (root may read all)',
    async () => {
      const path = await fileOf('secret.gguf', tiny);
      await chmod(path, 0);
      expect(await refusal(path)).toMatch(/^unreadable: .* may not be read by this user\.$/);
    },
  );
});

test('a header that claims endless content is refused quickly', async () => {
  const claims = (tensors: bigint, entries: bigint, rest: Buffer = Buffer.alloc(0)) => {
    const head = Buffer.alloc(24);
    head.write('GGUF');
    head.writeUInt32LE(3, 4);
    head.writeBigUInt64LE(tensors, 8);
    head.writeBigUInt64LE(entries, 16);
    return Buffer.concat([head, rest]);
  };
  const huge = 2n ** 60n;
  const array = Buffer.alloc(8 + 1 + 4 + 4 + 8);
  array.writeBigUInt64LE(1n, 0);
  array.write('a', 8);
  array.writeUInt32LE(9, 9);
  array.writeUInt32LE(8, 13);
  array.writeBigUInt64LE(huge, 17);
  for (const content of [claims(huge, 0n), claims(0n, huge), claims(0n, 1n, array), claims(9_999_999n, 99_999n)]) {
    expect(await refusal(await fileOf('claims.gguf', content))).toMatch(/^(?:not-gguf|truncated): /);
  }
});

test('a check is repeated only when the file has changed', async () => {
  const path = await fileOf('again.gguf', tiny);
  const checks = new GgufCheck(systemClock, ggufReader);
  const first = await checks.check(path, never);
  expect(await checks.check(path, never)).toBe(first);
  await truncate(path, 5_000);
  await expect(checks.check(path, never)).rejects.toMatchObject({ kind: 'truncated' });
  await writeFile(path, tiny);
  const { mtime } = await stat(path);
  const third = await checks.check(path, never);
  expect(third).toEqual(first);
  // The same size, and the old time: only the system's own time of change differs.
  await using file = await open(path, 'r+');
  await file.write(Buffer.from('HTML'), 0, 4, 0);
  await utimes(path, mtime, mtime);
  await expect(checks.check(path, never)).rejects.toMatchObject({ kind: 'not-gguf' });
});

test('a check can be cancelled', async () => {
  const path = await fileOf('cancel.gguf', tiny);
  const reason = new Error('enough');
  await expect(new GgufCheck(systemClock, ggufReader).check(path, AbortSignal.abort(reason))).rejects.toBe(reason);
  const ending = new AbortController();
  const checking = new GgufCheck(systemClock, ggufReader).check(path, ending.signal);
  await nextTurn(); // it has begun
  ending.abort(reason);
  await expect(checking).rejects.toBe(reason);
});

test('a vocabulary of 250,000 tokens is read by another thread', async () => {
  const number = (value: number, bytes: 4 | 8) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const text = (value: string) => Buffer.concat([number(Buffer.byteLength(value), 8), Buffer.from(value)]);
  const texts = (key: string, count: number, start: string) => {
    const all = Buffer.alloc(count * 32);
    let end = 0;
    for (let index = 0; index < count; index += 1) {
      const length = all.write(start + index.toString(36), end + 8);
      all.writeUInt32LE(length, end);
      end += 8 + length;
    }
    return [text(key), number(9, 4), number(8, 4), number(count, 8), all.subarray(0, end)];
  };
  const large = Buffer.concat([
    ...[Buffer.from('GGUF'), number(3, 4), number(0, 8), number(4, 8)],
    ...[text('general.architecture'), number(8, 4), text('llama')],
    ...texts('tokenizer.ggml.tokens', 250_000, '▁token'),
    ...texts('tokenizer.ggml.merges', 50_000, 'left right'),
    ...[text('llama.context_length'), number(4, 4), number(4_096, 4)],
  ]);
  const path = await fileOf('large.gguf', Buffer.concat([large, Buffer.alloc(32)]));
  const began = [process.cpuUsage(), process.threadCpuUsage()] as const;
  const facts = await check(path);
  const [all, here] = [process.cpuUsage(began[0]), process.threadCpuUsage(began[1])];
  const ms = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
  console.info(`checked with ${ms(all).toFixed(0)} ms of CPU time, ${ms(here).toFixed(1)} ms of it in this thread`);
  expect(facts.contextLength).toBe(4_096);
  expect(ms(here)).toBeLessThan(ms(all) / 4);
});
