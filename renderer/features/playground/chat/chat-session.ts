import {
  type ChatEnd,
  type ChatMessage,
  type ChatPiece,
  chatStream,
  type ModelServerError,
} from '../../../../daemon/client/chat-stream.ts';
import { maxTokensText, temperatureText, tooLongText } from './chat-text.ts';
import { FIRST_RATIO, firstThatFits, isTooLong, messagesOf, ratioOf, turnsToSend } from './context-fit.ts';
import {
  type AnswerEnd,
  bounded,
  type ChatSettings,
  type Conversation,
  type ConversationStorage,
  emptyConversation,
  type Turn,
} from './conversation.ts';

/** A longer answer is stopped: a model may repeat itself without end. */
const MAX_ANSWER = 200_000;
/** The most times that a request longer than the context is sent, each time without its oldest messages. */
const MAX_TRIES = 6;

export interface ChatState extends Conversation {
  readonly isBusy: boolean;
  readonly isWaiting: boolean;
  /** The id of the first message of the last request; those before it did not fit. null: all were sent. */
  readonly sentFrom: number | null;
}

export interface ChatSessionDeps {
  readonly url: string;
  readonly model: string;
  readonly storage: Pick<ConversationStorage, 'load' | 'save'>;
  /** The size of the context in tokens; null: unknown. */
  readonly contextTokens: () => number | null;
  /** The request was refused: the browser is no longer signed in. */
  readonly onUnauthorized: () => void;
  /** Runs work with the next frame. @returns a function that cancels it */
  readonly nextFrame: (work: () => void) => () => void;
  readonly nowMs: () => number;
  readonly send?: typeof fetch;
}

/** A conversation with an endpoint. Pieces of an answer change the state once a frame, however many there are. */
export class ChatSession {
  readonly #deps: ChatSessionDeps;
  readonly #listeners = new Set<() => void>();
  #state: ChatState = { ...emptyConversation, isBusy: false, isWaiting: false, sentFrom: null };
  #abort: AbortController | null = null;
  #ratio = FIRST_RATIO;
  /** A size that the model server refused; smaller than the one it tells. */
  #refusedFrom = 0;
  #lastId: number;

  constructor(deps: ChatSessionDeps) {
    this.#deps = deps;
    this.#state = { ...this.#state, ...deps.storage.load() };
    this.#lastId = this.#state.turns.at(-1)?.id ?? 0;
  }

  readonly state = (): ChatState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  change(settings: Partial<ChatSettings>): void {
    this.#set({ settings: { ...this.#state.settings, ...settings } });
  }

  save(): void {
    this.#deps.storage.save(keptOf(this.#state));
  }

  clear(): void {
    this.stop();
    this.#refusedFrom = 0;
    this.#set({ turns: [], forgotten: 0, sentFrom: null });
    this.save();
  }

  stop(): void {
    this.#abort?.abort(new Error('stopped'));
  }

  /** The messages that are sent next, with a text of the user. */
  nextMessages(text: string): ChatMessage[] {
    const { turns, settings } = this.#state;
    const next = turnsToSend(text.trim() === '' ? turns : [...turns, turnOf(0, 'user', text)]);
    return messagesOf(next.slice(this.#firstSent(next)), settings.system);
  }

  /** Sends a message, unless a setting is invalid, and takes the answer in. Resolves once that has ended. Never rejects. */
  async ask(text: string): Promise<void> {
    if (this.#state.isBusy || Object.keys(settingsProblems(this.#state.settings)).length > 0) return;
    const user = turnOf(++this.#lastId, 'user', text);
    const answer = turnOf(++this.#lastId, 'assistant', '');
    this.#set({
      ...bounded({ ...this.#state, turns: [...this.#state.turns, user, answer] }),
      isBusy: true,
      isWaiting: true,
    });
    const abort = new AbortController();
    this.#abort = abort;
    const end = await this.#answered(abort.signal);
    this.#abort = null;
    this.#set({ turns: withLast(this.#state.turns, { end }), isBusy: false, isWaiting: false });
    this.save();
  }

  /** Sends the conversation, without its oldest messages while it is refused as too long. */
  async #answered(signal: AbortSignal): Promise<AnswerEnd> {
    for (let tries = 1; ; tries++) {
      const asked = turnsToSend(this.#state.turns.slice(0, -1));
      const first = this.#firstSent(asked);
      this.#set({ sentFrom: first === 0 ? null : (asked[first]?.id ?? null) });
      const measure = new Measure(this.#deps.nowMs);
      try {
        return await this.#streamed(messagesOf(asked.slice(first), this.#state.settings.system), measure, signal);
      } catch (error) {
        if (signal.aborted) return measure.end('stopped', null, null);
        const failure = error as ModelServerError;
        const rest = asked.length - first;
        if (isTooLong(failure) && rest > 1 && tries < MAX_TRIES) {
          this.#refusedFrom = asked[first + Math.ceil(rest / 2)]?.id ?? asked.at(-1)?.id ?? 0;
          continue;
        }
        if (failure.status === 401) this.#deps.onUnauthorized();
        return measure.end('failed', failure.message, null);
      }
    }
  }

  async #streamed(messages: readonly ChatMessage[], measure: Measure, signal: AbortSignal): Promise<AnswerEnd> {
    const { url, model, send } = this.#deps;
    const { temperature, maxTokens } = this.#state.settings;
    const question = { url, model, messages, temperature: numberOf(temperature), maxTokens: numberOf(maxTokens) };
    const pieces = chatStream(question, { signal, ...(send && { send }) });
    const taker = this.#taker();
    try {
      for (;;) {
        const { value, done } = await pieces.next();
        if (done) {
          if (value.tokens && value.tokens.prompt > 0) this.#ratio = ratioOf(messages, value.tokens.prompt);
          return measure.end('done', null, value, question.maxTokens);
        }
        measure.piece();
        if (taker.take(value) > MAX_ANSWER) {
          await pieces.return({ finishReason: null, tokens: null });
          return measure.end('stopped', tooLongText, null);
        }
      }
    } finally {
      taker.flush();
    }
  }

  /** Collects pieces, and shows them with the next frame. */
  #taker() {
    let waiting = { answer: '', reasoning: '' };
    let length = 0;
    let cancel: (() => void) | null = null;
    const flush = () => {
      cancel?.();
      cancel = null;
      const { answer, reasoning } = waiting;
      if (answer === '' && reasoning === '') return;
      waiting = { answer: '', reasoning: '' };
      const last = this.#state.turns.at(-1);
      if (!last) return;
      const turns = withLast(this.#state.turns, { text: last.text + answer, reasoning: last.reasoning + reasoning });
      this.#set({ turns, isWaiting: false });
    };
    const take = ({ kind, text }: ChatPiece): number => {
      waiting[kind] += text;
      length += text.length;
      cancel ??= this.#deps.nextFrame(() => {
        cancel = null;
        flush();
      });
      return length;
    };
    return { take, flush };
  }

  #firstSent(turns: readonly Turn[]): number {
    const { system, maxTokens } = this.#state.settings;
    const limits = {
      contextTokens: this.#deps.contextTokens(),
      ratio: this.#ratio,
      maxTokens: numberOf(maxTokens) ?? null,
    };
    const fits = firstThatFits(turns, system, limits);
    const notRefused = turns.findIndex(({ id, role }) => role === 'user' && (id >= this.#refusedFrom || id === 0));
    return Math.max(fits, notRefused === -1 ? turns.length - 1 : notRefused, 0);
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Over a shorter time, such as that of a saved answer, a speed would be a guess. */
const MIN_MEASURED_MS = 50;

/** Times an answer. */
class Measure {
  readonly #nowMs: () => number;
  readonly #sentMs: number;
  #firstMs: number | null = null;
  #pieces = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sentMs = nowMs();
  }

  piece(): void {
    this.#firstMs ??= this.#nowMs();
    this.#pieces += 1;
  }

  /** A server that does not count sends about a token in each piece. @param maxTokens the longest length in the settings */
  end(state: AnswerEnd['state'], error: string | null, end: ChatEnd | null, maxTokens?: number): AnswerEnd {
    const tokens = end?.tokens?.answer || this.#pieces || null;
    const streamMs = this.#firstMs === null ? 0 : this.#nowMs() - this.#firstMs;
    const isMeasured = this.#pieces > 1 && streamMs >= MIN_MEASURED_MS;
    const isCut = end?.finishReason === 'length';
    return {
      state,
      error,
      firstMs: this.#firstMs === null ? null : this.#firstMs - this.#sentMs,
      tokens,
      tokensPerSecond: tokens !== null && tokens > 1 && isMeasured ? ((tokens - 1) * 1_000) / streamMs : null,
      isCut,
      isCutBySetting: isCut && maxTokens !== undefined && (tokens ?? 0) >= maxTokens,
    };
  }
}

function turnOf(id: number, role: Turn['role'], text: string): Turn {
  return { id, role, text, reasoning: '', end: null };
}

function withLast(turns: readonly Turn[], change: Partial<Turn>): readonly Turn[] {
  const last = turns.at(-1);
  return last ? [...turns.slice(0, -1), { ...last, ...change }] : turns;
}

/** The saved part: without an answer under way. */
function keptOf({ turns, forgotten, settings }: ChatState): Conversation {
  return { turns: turns.filter(({ role, end }) => role === 'user' || end !== null), forgotten, settings };
}

/** The settings that cannot be sent, each with a sentence. */
export function settingsProblems({
  temperature,
  maxTokens,
}: ChatSettings): Partial<Record<keyof ChatSettings, string>> {
  const isLeft = (text: string) => text.trim() === '';
  const tokens = numberOf(maxTokens) ?? 0;
  return {
    ...(!isLeft(temperature) && (numberOf(temperature) ?? -1) < 0 && { temperature: temperatureText }),
    ...(!isLeft(maxTokens) && (tokens < 1 || !Number.isInteger(tokens)) && { maxTokens: maxTokensText }),
  };
}

export function numberOf(text: string): number | undefined {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
