import * as z from 'zod';
import { ApiError } from './api-error.ts';
import { type ReplyShape, type ReplyTo, reply } from './generation-reply.ts';
import { generationMembers } from './generation-request.ts';
import type { Generator } from './generator.ts';
import { refuseUnsupported } from './unsupported.ts';

const tokens = z.array(z.int().min(0));
const single = 'expected one prompt: a text, or a list of tokens';
const prompt = z.union([z.string(), tokens, z.tuple([z.string()]), z.tuple([tokens])], { error: single });

/** The body of POST /v1/completions. Other members are ignored. */
export const CompletionRequest = z.looseObject({ ...generationMembers, prompt }).superRefine(refuseUnsupported);
export type CompletionRequest = z.infer<typeof CompletionRequest>;

const shape: ReplyShape = {
  idPrefix: 'cmpl',
  object: 'text_completion',
  chunkObject: 'text_completion',
  whole: (text) => ({ text }),
  piece: (text) => ({ text }),
  opening: null,
  closing: { text: '' },
};

/** Answers POST /v1/completions. @throws ApiError 400 for a token that the model does not know */
export async function complete(generator: Generator, body: CompletionRequest, to: ReplyTo): Promise<void> {
  const [first] = body.prompt;
  const given =
    typeof first === 'object' || (typeof first === 'string' && Array.isArray(body.prompt)) ? first : body.prompt;
  refuseUnknownTokens([given as string | number[]], generator.vocabularySize, 'prompt');
  const prompt = generator.textPrompt(given as string | number[]);
  await reply(generator, { prompt, maxTokens: body.max_tokens ?? null, body }, shape, to);
}

/** A number that is no token would crash the native library. */
export function refuseUnknownTokens(
  inputs: readonly (string | readonly number[])[],
  vocabularySize: number,
  param: string,
): void {
  const isUnknown = (token: number) => token >= vocabularySize;
  if (inputs.some((input) => typeof input !== 'string' && input.some(isUnknown))) {
    throw new ApiError(400, `${param}: the model's tokens are the numbers below ${vocabularySize}`, { param });
  }
}
