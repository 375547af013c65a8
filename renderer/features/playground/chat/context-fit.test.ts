import { expect, test } from 'vitest';
import { firstThatFits, isTooLong, messagesOf, ratioOf, turnsToSend } from './context-fit.ts';
import type { Turn } from './conversation.ts';

const turns = (...texts: string[]): Turn[] =>
  texts.map((text, index) => ({
    ...{ id: index + 1, role: index % 2 === 0 ? 'user' : 'assistant', text, reasoning: '', end: null },
  }));
const x = (count: number) => 'x'.repeat(count);
const limits = { contextTokens: 400, ratio: 1, maxTokens: null };

test('the newest messages fit, from a message of the user on', () => {
  const talk = turns(x(84), x(84), x(84), x(84), x(84));
  expect(firstThatFits(talk, '', { ...limits, contextTokens: null })).toBe(0);
  expect(firstThatFits(talk, '', limits)).toBe(2); // 300 tokens are for three of them
  expect(firstThatFits(talk, x(100), limits)).toBe(4);
  expect(firstThatFits(talk, '', { ...limits, maxTokens: 0 })).toBe(2); // the fourth is an answer
  expect(firstThatFits(talk, '', { ...limits, ratio: 0.25 })).toBe(0);
  expect(firstThatFits(turns(x(9_000)), '', limits)).toBe(0);
  expect(firstThatFits([], '', limits)).toBe(0);
});

test('a question without an answer is not sent unless it is the last: questions and answers alternate', () => {
  const sent = (...texts: string[]) => turnsToSend(turns(...texts)).map(({ text }) => text);
  expect(sent('a', '', 'b')).toEqual(['b']);
  expect(sent('a', '1', 'b', '', 'c', '', 'd')).toEqual(['a', '1', 'd']);
  expect(sent('a', '1', 'b', '2')).toEqual(['a', '1', 'b', '2']);
  expect(turnsToSend(turns('a', '1', 'b').slice(1)).map(({ text }) => text)).toEqual(['b']); // its question is forgotten
  const interrupted = turns('a', '1', 'b').filter(({ role }) => role === 'user'); // the page was closed during the answer
  expect(turnsToSend(interrupted).map(({ text }) => text)).toEqual(['b']);
});

test('an empty system prompt is not sent', () => {
  expect(messagesOf(turns('a'), ' ')).toEqual([{ role: 'user', content: 'a' }]);
  expect(messagesOf(turns('a'), 'Be short.')[0]).toEqual({ role: 'system', content: 'Be short.' });
});

test('the tokens of a character are learned, within reason', () => {
  expect(ratioOf([{ role: 'user', content: x(84) }], 50)).toBe(0.5);
  expect(ratioOf([{ role: 'user', content: x(84) }], 0)).toBe(0.05);
});

test.each([
  [400, 'the request exceeds the available context size (512 tokens), try increasing it', true],
  [400, 'The request has 600 tokens, and the context has room for 511 tokens. Shorten it', true],
  [400, "This model's maximum context length is 512 tokens. However, you requested 600 tokens", true],
  [422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 512; input is too long', true],
  [413, 'too many tokens', true],
  [400, 'temperature must be a number', false],
  [401, 'A valid bearer token is required in this context.', false],
  [null, 'the context', false],
])('%s "%s" is too long: %s', (status, message, expected) => {
  expect(isTooLong({ status, message })).toBe(expected);
});
