import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import type { ContainerUsage } from './container-usage.ts';
import { UsageMeter } from './container-usage.ts';

/** A meter of an engine that answers when the test says so. */
function begin() {
  const clock = manualClock();
  const asked: PromiseWithResolvers<ContainerUsage>[] = [];
  const meter = new UsageMeter(clock, () => {
    const question = Promise.withResolvers<ContainerUsage>();
    asked.push(question);
    return question.promise;
  });
  const answer = (memoryBytes: number, cpuSeconds: number) => asked.at(-1)?.resolve({ memoryBytes, cpuSeconds });
  return { meter, asked, answer, pass: clock.advance };
}

test('those who ask at one time share an answer, later ones get a new one', async () => {
  const { meter, asked, answer, pass } = begin();
  const both = Promise.all([meter.usage(), meter.usage()]);
  answer(5, 1);
  expect(await both).toEqual(Array(2).fill({ memoryBytes: 5, cpuSeconds: 1 }));
  expect(await meter.usage()).toEqual({ memoryBytes: 5, cpuSeconds: 1 });
  expect(asked).toHaveLength(1);
  await pass(5_000);
  const later = meter.usage();
  answer(6, 2);
  expect(await later).toEqual({ memoryBytes: 6, cpuSeconds: 2 });
});

test('an engine that hangs is waited for once, for a second; then the last memory is reported at once', async () => {
  const { meter, asked, answer, pass } = begin();
  const first = meter.usage();
  answer(5, 1);
  await first;
  await pass(5_000);
  const hanging = meter.usage();
  await pass(1_000);
  expect(await hanging).toEqual({ memoryBytes: 5, cpuSeconds: null });
  expect(await meter.usage()).toEqual({ memoryBytes: 5, cpuSeconds: null });
  expect(asked).toHaveLength(2);
  asked[1]?.reject(new Error('no answer in time'));
  await pass(0);
  expect(await meter.usage()).toEqual({ memoryBytes: 5, cpuSeconds: null });
  answer(7, 3);
  await pass(0);
  expect(await meter.usage()).toEqual({ memoryBytes: 7, cpuSeconds: 3 });
});

test('before the first answer nothing is known', async () => {
  const { meter, pass } = begin();
  const usage = meter.usage();
  await pass(1_000);
  expect(await usage).toEqual({ memoryBytes: null, cpuSeconds: null });
});
