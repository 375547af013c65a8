/** How an answer ended. */
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

/** A message of a conversation. */
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
export const MAX_CHARACTERS = 400_000;

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
