import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { snapshot } from '../../testing/fixtures.ts';
import { answered, answerId, startsLike, withAnswer } from './answers.ts';

const key = ['numbers', { page: 1 }] as const;
const id = answerId(key);

/** A dashboard, and a question that is answered by hand. */
function setUp() {
  const { store } = testDashboard();
  const requests: { readonly signal: AbortSignal; readonly reply: PromiseWithResolvers<number> }[] = [];
  const ask = (_: unknown, signal: AbortSignal) => {
    const reply = Promise.withResolvers<number>();
    requests.push({ signal, reply });
    return reply.promise;
  };
  const { showAnswer, ask: send, askAgain, setAnswer, apply } = store.getState();
  return {
    store,
    requests,
    show: () => showAnswer(id),
    ask: () => send(id, ask),
    again: () => askAgain(startsLike(['numbers'])),
    set: (value: number) => setAnswer(key, value),
    reconnect: () => apply({ type: 'snapshot', snapshot: snapshot() }),
    answer: () => store.getState().answers[id],
    value: () => answered<number>(key)(store.getState()),
    reply: async (request: number, value: number) => {
      requests[request]?.reply.resolve(value);
      await vi.waitFor(() => {});
    },
  };
}

test('two that show the same answer ask once; a reconnect asks again, and only the later reply counts', async () => {
  const { show, ask, requests, reconnect, answer, reply } = setUp();
  show();
  show();
  void ask();
  void ask();
  expect(requests).toHaveLength(1);
  expect(answer()).toEqual({ value: null, loading: true, error: null });
  reconnect();
  void ask();
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await reply(1, 2);
  await reply(0, 1);
  expect(answer()).toEqual({ value: 2, loading: false, error: null });
});

test('a request goes on while anyone shows its answer, and its value stays known', async () => {
  const { show, ask, requests, answer, value, reply } = setUp();
  const hides = [show(), show()];
  void ask();
  await reply(0, 1);
  void ask();
  hides[0]?.();
  expect(requests[1]?.signal.aborted).toBe(false);
  hides[1]?.();
  expect(requests[1]?.signal.aborted).toBe(true);
  await reply(1, 2);
  expect([value(), answer()?.loading]).toEqual([1, false]);
});

test('a failure leaves the value, until the next reply', async () => {
  const { show, ask, requests, answer, reply } = setUp();
  show();
  void ask();
  await reply(0, 1);
  const failed = ask();
  requests[1]?.reply.reject(new DaemonError(500, 'The disk is full.'));
  await failed;
  expect(answer()).toMatchObject({ value: 1, loading: false, error: { message: 'The disk is full.' } });
  void ask();
  await reply(2, 3);
  expect(answer()).toEqual({ value: 3, loading: false, error: null });
});

test('what is asked for again replaces a request under way, but not the first one; what is not shown is not asked for', async () => {
  const { show, ask, again, requests, reply } = setUp();
  const hide = show();
  void ask();
  void again();
  expect(requests).toHaveLength(1);
  await reply(0, 1);
  void again();
  void again();
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  hide();
  await again();
  expect(requests).toHaveLength(3);
});

test('the reply to a command replaces the answer, and a request that is older than it', async () => {
  const { show, ask, set, requests, value, reply } = setUp();
  show();
  void ask();
  set(5);
  expect([value(), requests[0]?.signal.aborted]).toEqual([5, true]);
  await reply(0, 1);
  expect(value()).toBe(5);
});

test('events change answers that are known, and no others', () => {
  const { store, set, value } = setUp();
  const add = () => store.setState((before) => withAnswer<number>(before, key, (number) => number + 1));
  add();
  expect(value()).toBeNull();
  set(1);
  add();
  expect(value()).toBe(2);
});

test('an answer is forgotten ten minutes after it was last shown', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { store, show, ask, value, reply } = setUp();
  const hide = show();
  void ask();
  await reply(0, 1);
  vi.advanceTimersByTime(3_600_000);
  hide();
  vi.advanceTimersByTime(599_000);
  store.getState().showAnswer(answerId(['another']));
  expect(value()).toBe(1);
  vi.advanceTimersByTime(2_000);
  store.getState().showAnswer(answerId(['one more']));
  expect(value()).toBeNull();
});

test('keys begin alike by whole parts', () => {
  const like = startsLike(['model', 'anna/big']);
  const ids = [['model', 'anna/big'], ['model', 'anna/big', 'downloads'], ['model', 'anna/bigger'], ['model']];
  expect(ids.map((each) => like(answerId(each)))).toEqual([true, true, false, false]);
});
