export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed';
  /** Why it failed, in a sentence; null: it did not. */
  readonly error: string | null;
  /** Milliseconds from the request to the first piece; null: there was none. */
  readonly firstMs: number | null;
  readonly tokens: number | null;
  readonly tokensPerSecond: number | null;
  /** Whether it reached its longest length, or the end of the context. */
  readonly isCut: boolean;
  /** Whether that is the longest length in the settings; absent in conversations that were stored before it was known. */
  readonly isCutBySetting?: boolean;
}

export interface Turn {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** The thoughts of the model before its answer. */
  readonly reasoning: string;
  /** null: a message of the user, or an answer under way. */
  readonly end: AnswerEnd | null;
}

export interface ChatSettings {
  readonly system: string;
  /** The text that was typed; empty: the model server's own. */
  readonly temperature: string;
  readonly maxTokens: string;
}

export const defaultSettings: ChatSettings = { system: '', temperature: '', maxTokens: '' };

/** The stored form of a conversation. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** The messages that are no longer kept. */
  readonly forgotten: number;
  readonly settings: ChatSettings;
}

export const emptyConversation: Conversation = { turns: [], forgotten: 0, settings: defaultSettings };

/** Limits of what is kept; the oldest messages go first. */
export const MAX_TURNS = 400;
const MAX_CHARACTERS = 400_000;

/** The newest messages within the limits; at least the last two. */
export function bounded(conversation: Conversation): Conversation {
  const { turns } = conversation;
  let characters = 0;
  let first = turns.length;
  while (first > 0) {
    const turn = turns[first - 1] as Turn;
    characters += turn.text.length + turn.reasoning.length;
    const kept = turns.length - first;
    if (kept >= 2 && (kept >= MAX_TURNS || characters > MAX_CHARACTERS)) break;
    first -= 1;
  }
  return first === 0
    ? conversation
    : { ...conversation, turns: turns.slice(first), forgotten: conversation.forgotten + first };
}

const PREFIX = 'robot-desktop.chat ';
/** Conversations with more endpoints are not kept. */
const MAX_CONVERSATIONS = 20;

/** Keeps the conversation with an endpoint in this browser. Never throws: a browser may keep nothing. */
export class ConversationStorage {
  readonly #key: string;
  readonly #storage: Storage;

  /** @param endpoint names it, and differs for one that was created again */
  constructor(endpoint: string, storage: Storage = window.localStorage) {
    this.#key = PREFIX + endpoint;
    this.#storage = storage;
  }

  load(): Conversation {
    try {
      const stored = JSON.parse(this.#storage.getItem(this.#key) ?? 'null') as Partial<Conversation> | null;
      if (!stored || !Array.isArray(stored.turns)) return emptyConversation;
      const turns = stored.turns.filter(isTurn).map((turn, index) => ({ ...turn, id: index + 1 }));
      const settings = { ...defaultSettings, ...textsOf(stored.settings) };
      return bounded({ turns, forgotten: Number(stored.forgotten) || 0, settings });
    } catch {
      return emptyConversation;
    }
  }

  save(conversation: Conversation): void {
    const { turns, settings } = conversation;
    const isEmpty = turns.length === 0 && Object.values(settings).every((text) => text === '');
    try {
      this.#storage.removeItem(this.#key); // its place among the others is that of the last change
      if (isEmpty) return;
      this.#forgetOthers(MAX_CONVERSATIONS - 1);
      this.#put(conversation);
    } catch {
      // The browser keeps nothing.
    }
  }

  #put(conversation: Conversation): void {
    const text = JSON.stringify({ ...conversation, savedAt: Date.now() });
    try {
      this.#storage.setItem(this.#key, text);
    } catch {
      this.#forgetOthers(0); // the browser's room is used up
      this.#storage.setItem(this.#key, text);
    }
  }

  /** Forgets the conversations that were changed longest ago. */
  #forgetOthers(kept: number): void {
    const keys = Object.keys(this.#storage).filter((key) => key.startsWith(PREFIX) && key !== this.#key);
    const savedAt = (key: string) => Number(/"savedAt":(\d+)\}$/.exec(this.#storage.getItem(key) ?? '')?.[1] ?? 0);
    const byAge = keys.length > kept ? keys.toSorted((a, b) => savedAt(b) - savedAt(a)) : [];
    for (const key of byAge.slice(kept)) this.#storage.removeItem(key);
  }
}

function isTurn(turn: Turn | null): turn is Turn {
  if (typeof turn !== 'object' || turn === null) return false;
  const { role, text, reasoning, end } = turn;
  const isRole = role === 'user' || role === 'assistant';
  const isEnded = end === null ? role === 'user' : typeof end?.state === 'string';
  return isRole && isEnded && typeof text === 'string' && typeof reasoning === 'string';
}

function textsOf(settings: unknown): object {
  const entries = Object.entries((settings ?? {}) as object).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries);
}
