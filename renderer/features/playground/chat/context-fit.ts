import type { ChatMessage } from '../../../../daemon/client/chat-stream.ts';
import type { Turn } from './conversation.ts';

/** Tokens for a character, until the model server has counted some. */
export const FIRST_RATIO = 0.3;
/** Characters that a chat template adds to each message, about. */
const TEMPLATE_CHARACTERS = 16;
/** The part of the context that is left for the answer. */
const ANSWER_SHARE = 0.25;

export interface ContextLimits {
  /** Tokens; null: unknown, everything is sent. */
  readonly contextTokens: number | null;
  /** Tokens for a character, as the model server counted them. */
  readonly ratio: number;
  /** The most tokens of the answer; null: not limited. */
  readonly maxTokens: number | null;
}

/**
 * The place of the first message that fits the context with all after it, at least the last one. A conversation that is sent
 * begins with a message of the user.
 */
export function firstThatFits(turns: readonly Turn[], system: string, limits: ContextLimits): number {
  const { contextTokens, ratio, maxTokens } = limits;
  if (contextTokens === null) return 0;
  const answer = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, contextTokens * ANSWER_SHARE);
  let left = (contextTokens - answer) / ratio - (system === '' ? 0 : system.length + TEMPLATE_CHARACTERS);
  let first = turns.length - 1;
  for (let index = turns.length - 1; index >= 0; index--) {
    left -= (turns[index]?.text.length ?? 0) + TEMPLATE_CHARACTERS;
    if (left < 0 && index < turns.length - 1) break;
    if (turns[index]?.role === 'user') first = index;
  }
  return Math.max(0, first);
}

/**
 * The turns that are sent: the questions that got an answer, their answers, and the last question. The templates of many
 * models refuse two questions in a row, which a failed or stopped request would leave.
 */
export function turnsToSend(turns: readonly Turn[]): readonly Turn[] {
  const isAnswer = (turn: Turn | undefined) => turn?.role === 'assistant' && turn.text !== '';
  return turns.filter((turn, index) =>
    turn.role === 'user'
      ? index === turns.length - 1 || isAnswer(turns[index + 1])
      : isAnswer(turn) && turns[index - 1]?.role === 'user',
  );
}

/** The messages of a request: the system prompt, and the turns. */
export function messagesOf(turns: readonly Turn[], system: string): ChatMessage[] {
  const messages = turns.map(({ role, text }) => ({ role, content: text }));
  return system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages];
}

/** Tokens for a character, from what the model server counted. */
export function ratioOf(messages: readonly ChatMessage[], promptTokens: number): number {
  const characters = messages.reduce((sum, { content }) => sum + content.length + TEMPLATE_CHARACTERS, 0);
  return Math.min(4, Math.max(0.05, promptTokens / Math.max(1, characters)));
}

/** Whether a refusal says that the request is longer than the context, in the words of the model servers. */
export function isTooLong({ status, message }: { readonly status: number | null; readonly message: string }): boolean {
  if (status === null || status < 400 || status === 401 || status === 403 || status === 404) return false;
  return /context|too long|too many tokens|maximum.{0,20}(?:length|tokens)|exceed.{0,40}tokens|token.{0,20}limit/i.test(
    message,
  );
}
