import { objectOf, type RawReply } from './model-request.ts';

/** The text with which a model continues another one. @throws Error with a sentence */
export function continuationOf(reply: RawReply): string {
  const { choices } = objectOf(reply);
  const [first] = Array.isArray(choices) ? (choices as readonly ({ readonly text?: unknown } | null)[]) : [];
  if (typeof first?.text !== 'string') throw new Error('The endpoint answered with something else than a text.');
  return first.text;
}
