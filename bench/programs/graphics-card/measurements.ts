import type { EndpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';
import { FIRST_WORD } from './random-model.ts';

/** How long one answer may take. */
const ANSWER_MS = 5 * 60_000;
const PROMPT_TOKENS = 1_000;
const ANSWER_TOKENS = 128;
const CHAT_TOKENS = 64;
export const ROUNDS = 3;

/** Seconds of a start, from the request for it. */
export interface StartTimes {
  readonly runningS: number;
  /** To the end of the first answer, of one token. */
  readonly firstAnswerS: number;
}

/** Tokens a second in each round. */
export interface Speeds {
  readonly prompt: readonly number[];
  readonly generated: readonly number[];
}

interface Timings {
  readonly cache_n: number;
  readonly prompt_n: number;
  readonly prompt_per_second: number;
  readonly predicted_n: number;
  readonly predicted_per_second: number;
}

/**
 * Times a start.
 * @param begin asks for it
 * @throws Error when the endpoint fails or is not running after the limit
 */
export async function timeStart(begin: () => Promise<EndpointClient>, limitMs: number): Promise<StartTimes> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const endpoint = await begin();
  await endpoint.until('running', limitMs);
  const runningS = seconds();
  await chat(endpoint, 1);
  return { runningS, firstAnswerS: seconds() };
}

/** The text that the endpoint answers to a short chat at temperature 0. @throws Error without an answer */
export async function chat(endpoint: EndpointClient, maxTokens = CHAT_TOKENS): Promise<string> {
  const { choices } = (await replyOf(
    endpoint.chat({ max_tokens: maxTokens }, { signal: AbortSignal.timeout(ANSWER_MS) }),
  )) as { choices: [{ message: { content: string } }] };
  const { content } = choices[0].message;
  if (content === '') throw new Error(`${endpoint.name} gave an empty answer.`);
  return content;
}

/** Measures an endpoint by the times in its own replies. Each round has another prompt: none is in the cache. */
export async function measureSpeeds(endpoint: EndpointClient): Promise<Speeds> {
  const rounds: Timings[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const prompt = Array.from({ length: PROMPT_TOKENS }, (_, at) => FIRST_WORD + ((at * 7 + round * 101) % 700));
    const body = JSON.stringify({ prompt, max_tokens: ANSWER_TOKENS, temperature: 0 });
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await replyOf(endpoint.ask('/v1/completions', { method: 'POST', body, signal }));
    const { timings } = answer as { timings: Timings };
    const isWhole =
      timings.cache_n === 0 && timings.prompt_n === PROMPT_TOKENS && timings.predicted_n === ANSWER_TOKENS;
    if (!isWhole) throw new Error(`${endpoint.name} computed something else: ${JSON.stringify(timings)}`);
    rounds.push(timings);
  }
  return {
    prompt: rounds.map((timings) => timings.prompt_per_second),
    generated: rounds.map((timings) => timings.predicted_per_second),
  };
}

/** The tokens that two answers begin with alike, and of how many. Each token of the random models is a word. */
export function agreement(first: string, second: string): { readonly alike: number; readonly of: number } {
  const [words, others] = [first.trim().split(' '), second.trim().split(' ')];
  const differs = words.findIndex((word, at) => word !== others[at]);
  return { alike: differs === -1 ? words.length : differs, of: Math.max(words.length, others.length) };
}

async function replyOf(asked: Promise<Response>): Promise<unknown> {
  const response = await asked;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
