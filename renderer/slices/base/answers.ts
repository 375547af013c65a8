import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { GetState, SetState } from './slice.ts';

/** Names a question: the same key, the same answer. */
export type AskedKey = readonly (string | number | boolean | object | null)[];

/** Asks the daemon. `signal` is aborted when no component needs the answer any more. */
export type Ask<T> = (call: DaemonClient['call'], signal: AbortSignal) => Promise<T>;

/** The answer of the daemon to a question, as far as it is here. */
export interface Answer<T> {
  /** Of the last request that succeeded; null: none has. */
  readonly value: T | null;
  /** A request is under way. */
  readonly loading: boolean;
  /** Why the last request failed, until the next one succeeds; null if it did not. */
  readonly error: DaemonError | null;
}

/** The answers to what the daemon's events do not carry. Components ask by `useAsked`. */
export interface AnswersSlice {
  /** By `answerId`. No entry: never asked for, or forgotten. */
  readonly answers: Readonly<Record<string, Answer<unknown>>>;
  /** Keeps the answer while a component shows it, and its request going. @returns a function that ends that */
  readonly showAnswer: (id: string) => () => void;
  /** Asks, unless that was asked since the last snapshot and is not answered yet. */
  readonly ask: (id: string, ask: Ask<unknown>) => Promise<void>;
  /** Asks again for each shown answer that `isMeant`; the others are asked for when they are shown. */
  readonly askAgain: (isMeant: (id: string) => boolean) => Promise<unknown>;
  /** Replaces an answer, by the reply to a command. */
  readonly setAnswer: (key: AskedKey, value: unknown) => void;
}

/** Asked by a component. */
interface Question {
  ask: Ask<unknown> | null;
  /** The number of components that show the answer. */
  shown: number;
  /** When the last of them was gone, in ms of `performance`. */
  leftAtMs: number;
  request: Request | null;
}

interface Request {
  readonly controller: AbortController;
  /** The number of snapshots when it was sent. */
  readonly snapshots: number;
  readonly done: Promise<void>;
}

/** An answer is kept this long after its page was left. */
const KEPT_MS = 10 * 60_000;

const unanswered: Answer<never> = { value: null, loading: false, error: null };

export function createAnswersSlice(
  set: SetState<AnswersSlice>,
  get: GetState<AnswersSlice & { readonly snapshots: number }>,
  call: DaemonClient['call'],
): AnswersSlice {
  const questions = new Map<string, Question>();

  function questionOf(id: string): Question {
    const question = questions.get(id) ?? { ask: null, shown: 0, leftAtMs: performance.now(), request: null };
    questions.set(id, question);
    return question;
  }

  function change(id: string, part: Partial<Answer<unknown>>): void {
    set(({ answers }) => ({ answers: { ...answers, [id]: { ...(answers[id] ?? unanswered), ...part } } }));
  }

  function stop(question: Question): void {
    question.request?.controller.abort();
    question.request = null;
  }

  function send(id: string, question: Question, ask: Ask<unknown>): Promise<void> {
    stop(question);
    const controller = new AbortController();
    change(id, { loading: true });
    const settle = (part: Partial<Answer<unknown>>) => {
      if (controller.signal.aborted) return;
      question.request = null;
      change(id, { ...part, loading: false });
    };
    const done = ask(call, controller.signal).then(
      (value) => settle({ value, error: null }),
      (error: unknown) => settle({ error: asDaemonError(error) }),
    );
    question.request = { controller, snapshots: get().snapshots, done };
    return done;
  }

  function forgetOld(): void {
    const old = [...questions].filter(
      ([, { shown, leftAtMs }]) => shown === 0 && performance.now() - leftAtMs > KEPT_MS,
    );
    if (old.length === 0) return;
    for (const [id] of old) questions.delete(id);
    set(({ answers }) => ({
      answers: Object.fromEntries(Object.entries(answers).filter(([id]) => questions.has(id))),
    }));
  }

  return {
    answers: {},
    showAnswer(id) {
      forgetOld();
      const question = questionOf(id);
      question.shown += 1;
      return () => {
        question.shown -= 1;
        if (question.shown > 0) return;
        question.leftAtMs = performance.now();
        stop(question);
        change(id, { loading: false, error: null });
      };
    },
    ask(id, ask) {
      const question = questionOf(id);
      question.ask = ask;
      const { request } = question;
      return request?.snapshots === get().snapshots ? request.done : send(id, question, ask);
    },
    askAgain(isMeant) {
      const asked = [...questions].flatMap(([id, question]) => {
        const { shown, ask, request } = question;
        if (shown === 0 || !ask || !isMeant(id)) return [];
        // A first answer that takes long comes, however often it is asked for.
        return request && (get().answers[id]?.value ?? null) === null ? request.done : send(id, question, ask);
      });
      return Promise.all(asked);
    },
    setAnswer(key, value) {
      const id = answerId(key);
      stop(questionOf(id)); // a request under way may have been answered before the command
      change(id, { value, loading: false, error: null });
    },
  };
}

export const answerId = (key: AskedKey): string => JSON.stringify(key);

/** Whether the key of an answer begins like that. */
export function startsLike(key: AskedKey): (id: string) => boolean {
  const start = answerId(key).slice(0, -1);
  return (id) => id === `${start}]` || id.startsWith(`${start},`);
}

/** Selects the value of an answer; null: there is none. */
export const answered =
  <T>(key: AskedKey) =>
  ({ answers }: Pick<AnswersSlice, 'answers'>): T | null =>
    (answers[answerId(key)]?.value ?? null) as T | null;

/** For reducers: changes the value of an answer, if there is one. */
export function withAnswer<T>(
  { answers }: AnswersSlice,
  key: AskedKey,
  change: (value: T) => T,
): Partial<AnswersSlice> {
  const id = answerId(key);
  const answer = answers[id] as Answer<T> | undefined;
  return answer?.value ? { answers: { ...answers, [id]: { ...answer, value: change(answer.value) } } } : {};
}
