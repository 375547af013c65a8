import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Recipe } from '../contract/catalog/catalog.ts';
import type { MeasuredSpeed } from '../contract/catalog/models.ts';
import { createLogger } from '../shared/logger.ts';
import { partsNamed } from '../testing/models/some-endpoints.ts';
import { type Serving, SpeedRecords } from './speed-records.ts';

const MINUTE = 60_000;

async function someRecords() {
  const folder = await mkdtemp(join(tmpdir(), 'measured-speed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'measured-speed.json');
  let nowMs = Date.parse('2026-11-29T10:00:00.000Z');
  const open = async () => {
    const records = new SpeedRecords({ file, now: () => new Date(nowMs), log: createLogger('error', () => {}) });
    onTestFinished(() => records.close()); // before the folder is removed
    await records.load();
    return records;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { folder, file, open, pass, records: await open() };
}

const { model, compute } = partsNamed('one');
function serving(file: string, change: Partial<Serving> = {}): Serving {
  const image = { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: `/repository/${file}`, ctxSize: 4096 } };
  const parts = { compute, model: { ...model, repository: 'ada/m', image } };
  return { parts, program: 'llama-server b1', card: null, ...change };
}
const recipe = (ggufFile: string, change: Partial<Recipe> = {}): Recipe => ({
  ...{ publicId: 'm', accelerator: 'cpu', engineType: 'llamacpp', ggufFile },
  ...change,
});
const speed = (tokensPerSecond: number, change: Partial<MeasuredSpeed> = {}): MeasuredSpeed => ({
  ...{ tokensPerSecond, measuredAt: '2026-11-29T10:00:00.000Z', program: 'llama-server b1', card: null },
  ...change,
});

test('the last speed of a recipe is kept with its program and its card, through a restart', async () => {
  const { open, pass, records } = await someRecords();
  expect(records.speeds.of('ada/m', recipe('a.gguf'))).toBeUndefined();
  records.note(serving('a.gguf'), 40);
  pass(MINUTE);
  records.note(serving('a.gguf', { program: 'llama-server b2' }), 40);
  const onCard = serving('a.gguf', { card: 'Example 4000' });
  records.note({ ...onCard, parts: { ...onCard.parts, compute: { ...compute, accelerator: 'gpu' } } }, 90);
  await records.close();
  const { speeds } = await open();
  const measuredAt = '2026-11-29T10:01:00.000Z';
  expect(speeds.of('ada/m', recipe('a.gguf'))).toEqual(speed(40, { measuredAt, program: 'llama-server b2' }));
  expect(speeds.of('ada/m', recipe('a.gguf', { accelerator: 'gpu' }))).toEqual(
    speed(90, { measuredAt, card: 'Example 4000' }),
  );
  expect([
    speeds.of('ada/other', recipe('a.gguf')),
    speeds.of('ada/m', recipe('b.gguf')),
    speeds.of('ada/m', recipe('a.gguf', { engineType: 'vllm' })),
    speeds.of('ada/m', recipe('a.gguf', { revision: 'abc' })),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});

test('a speed that differs little is no news for an hour, and the speeds stay the same object', async () => {
  const { pass, records } = await someRecords();
  records.note(serving('a.gguf'), 40);
  const { speeds } = records;
  pass(59 * MINUTE);
  records.note(serving('a.gguf'), 43.9);
  expect(records.speeds).toBe(speeds);
  records.note(serving('a.gguf'), 35);
  expect(records.speeds.of('ada/m', recipe('a.gguf'))).toEqual(speed(35, { measuredAt: '2026-11-29T10:59:00.000Z' }));
  pass(60 * MINUTE);
  records.note(serving('a.gguf'), 35);
  expect(records.speeds.of('ada/m', recipe('a.gguf'))).toEqual(speed(35, { measuredAt: '2026-11-29T11:59:00.000Z' }));
});

test('other settings than those of the catalog, and settings that are not known, say nothing of a recipe', async () => {
  const { records } = await someRecords();
  const { parts, ...rest } = serving('a.gguf');
  records.note({ ...rest, parts: { ...parts, model: { ...parts.model, args: ['--threads', '1'] } } }, 40);
  records.note(null, 40);
  expect(records.speeds.of('ada/m', recipe('a.gguf'))).toBeUndefined();
});

test('at most 500 are kept, the newest; a damaged file is set aside', async () => {
  const { folder, file, open, records } = await someRecords();
  for (let index = 0; index < 501; index += 1) records.note(serving(`${index}.gguf`), 40);
  await records.close();
  expect(JSON.parse(await readFile(file, 'utf8')).records).toHaveLength(500);
  const { speeds } = await open();
  expect([speeds.of('ada/m', recipe('0.gguf')), speeds.of('ada/m', recipe('500.gguf'))]).toEqual([
    undefined,
    speed(40),
  ]);
  await writeFile(file, '{"records":[{"speed":-1}]}');
  expect((await open()).speeds.of('ada/m', recipe('500.gguf'))).toBeUndefined();
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^measured-speed\.json\.damaged-\w+$/)]);
});
