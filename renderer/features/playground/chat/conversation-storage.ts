import { bounded, type Conversation, defaultSettings, emptyConversation, type Turn } from './conversation.ts';

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
