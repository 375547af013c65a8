import { expect, test } from 'vitest';
import type { News } from '../../shared/news.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { someNews } from '../../testing/some-news.ts';
import type { Delivery } from './news.ts';
import { type DeliveryFailure, RepeatedDelivery, type Undelivered } from './repeated-delivery.ts';

const MINUTE = 60_000;
const later: DeliveryFailure = { problem: 'Nothing answers.', isTemporary: true };
const never: DeliveryFailure = { problem: 'It is refused.', isTemporary: false };

function begin(answer: (delivery: Delivery) => DeliveryFailure | null | Promise<DeliveryFailure | null>) {
  const clock = manualClock();
  const tries: { readonly title: string; readonly titles: readonly string[]; readonly minute: number }[] = [];
  const ids: string[] = [];
  const reports: string[] = [];
  const startMs = clock.now().getTime();
  const minuteOf = (at: Date) => (at.getTime() - startMs) / MINUTE;
  const delivery = new RepeatedDelivery({
    waitsMs: [MINUTE, 5 * MINUTE],
    clock,
    deliver: async (each, id) => {
      ids.push(id);
      tries.push({ title: each.news.title, titles: each.held?.titles ?? [], minute: minuteOf(clock.now()) });
      return answer(each);
    },
    report: ({ title }: News, unsent: Undelivered | null) => {
      const again = unsent?.againAt ? ` (again at ${minuteOf(unsent.againAt)})` : '';
      reports.push(`${title} ${unsent ? unsent.problem + again : 'delivered'}`);
    },
  });
  const offer = (more: Partial<News> = {}) => delivery.offer(someNews({ at: clock.now(), ...more }), null);
  return { delivery, clock, tries, ids, reports, offer };
}

const running = { kind: 'endpoint-running', title: 'lab/chat runs.' } as const;

test('what fails for the moment is tried again after longer and longer waits, then given up', async () => {
  const { clock, tries, ids, reports, offer } = begin(() => later);
  offer();
  await clock.advance(60 * MINUTE);
  expect(tries.map(({ minute }) => minute)).toEqual([0, 1, 6]);
  expect(new Set(ids).size, 'names of the mail').toBe(1);
  expect(reports).toEqual([
    'lab/chat failed. Nothing answers. (again at 1)',
    'lab/chat failed. Nothing answers. (again at 6)',
    'lab/chat failed. Nothing answers. It was tried 3 times.',
  ]);
  expect(clock.pending).toBe(0);
});

test('what succeeds, or fails for good, is not tried again', async () => {
  let answer: DeliveryFailure | null = never;
  const { clock, tries, reports, offer } = begin(() => answer);
  offer();
  answer = null;
  offer(running);
  await clock.advance(60 * MINUTE);
  expect(tries).toHaveLength(2);
  expect(reports).toEqual(['lab/chat failed. It is refused.', 'lab/chat runs. delivered']);
});

test('a second try may succeed, and may fail for good', async () => {
  const answers = [later, null, later, never];
  const { clock, reports, offer } = begin(() => answers.shift() ?? null);
  offer();
  await clock.advance(MINUTE);
  offer();
  await clock.advance(MINUTE);
  expect(reports).toEqual([
    'lab/chat failed. Nothing answers. (again at 1)',
    'lab/chat failed. delivered',
    'lab/chat failed. Nothing answers. (again at 2)',
    'lab/chat failed. It is refused. It was tried 2 times.',
  ]);
  expect(clock.pending).toBe(0);
});

test('newer news of an endpoint do not overtake what waits: they name it', async () => {
  let answer: DeliveryFailure | null = later;
  const { clock, tries, reports, offer } = begin(() => answer);
  offer();
  await clock.advance(MINUTE / 2);
  answer = null;
  offer(running);
  offer({ endpoint: { namespace: 'lab', name: 'other' }, title: 'lab/other failed.' });
  await clock.advance(60 * MINUTE);
  expect(tries.map(({ title, titles }) => [title, titles])).toEqual([
    ['lab/chat failed.', []],
    ['lab/chat runs.', ['lab/chat failed.']],
    ['lab/other failed.', []],
  ]);
  expect(reports.slice(1).sort()).toEqual([
    'lab/chat failed. delivered',
    'lab/chat runs. delivered',
    'lab/other failed. delivered',
  ]);
  expect(clock.pending).toBe(0);
});

test('news that come during a try follow it, also if it fails', async () => {
  const first = Promise.withResolvers<DeliveryFailure | null>();
  const answers = [first.promise, Promise.resolve(null)];
  const { clock, tries, offer } = begin(() => answers.shift() ?? null);
  offer();
  offer(running);
  await clock.advance(0);
  expect(tries).toHaveLength(1);
  first.resolve(later);
  await clock.advance(60 * MINUTE);
  expect(tries.slice(1).map(({ title, titles }) => [title, titles])).toEqual([
    ['lab/chat runs.', ['lab/chat failed.']],
  ]);
  expect(clock.pending).toBe(0);
});

test('nothing is tried again about an endpoint that is gone, nor after the end; both are reported', async () => {
  const { delivery, clock, tries, reports, offer } = begin(() => later);
  const other = { endpoint: { namespace: 'lab', name: 'other' }, title: 'lab/other failed.' };
  offer();
  offer(other);
  await clock.advance(0);
  delivery.forget(someNews().endpoint);
  await delivery.close();
  expect(reports.slice(2)).toEqual([
    'lab/chat failed. Nothing answers. The endpoint was deleted before the next try.',
    'lab/other failed. Nothing answers. The daemon ended before the next try.',
  ]);
  expect(clock.pending).toBe(0);
  await clock.advance(60 * MINUTE);
  expect(tries).toHaveLength(2);
});

test('the end waits for the try under way, which is the last one', async () => {
  const answered = Promise.withResolvers<DeliveryFailure | null>();
  const { delivery, clock, tries, reports, offer } = begin(() => answered.promise);
  offer();
  offer(running);
  const closed = delivery.close();
  answered.resolve(later);
  await closed;
  await clock.advance(60 * MINUTE);
  expect(tries).toHaveLength(1);
  expect(reports).toEqual(['lab/chat failed. Nothing answers.']);
});
