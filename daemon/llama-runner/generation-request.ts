import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import * as z from 'zod';

const fraction = z.number().min(0).max(1).nullish();
const penalty = z.number().min(-2).max(2).nullish();
const MAX_STOPS = 16;
const MAX_STOP_LENGTH = 1_000;
const stop = z.string().max(MAX_STOP_LENGTH);

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
]);
export type ResponseFormat = z.infer<typeof responseFormat>;

/** The members that chats and completions have in common. */
export const generationMembers = {
  max_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: fraction,
  top_k: z.int().min(0).max(1_000_000).nullish(),
  min_p: fraction,
  seed: z.int().nullish(),
  stop: z.union([stop, z.array(stop).max(MAX_STOPS)]).nullish(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  repeat_penalty: z.number().min(0).max(10).nullish(),
  response_format: responseFormat.nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
};
const members = z.object(generationMembers);
export type GenerationMembers = z.infer<typeof members>;

export function stopsOf({ stop: stops }: GenerationMembers): readonly string[] {
  if (stops == null) return [];
  return typeof stops === 'string' ? [stops] : stops;
}

/** The newest tokens that penalties look at. */
const PENALIZED = 64;

/**
 * The choice of the next token: as the request says, else as llama.cpp's own server does by default.
 * @param generated the tokens so far, which grow
 */
export function evaluateOptions(body: GenerationMembers, generated: readonly Token[]): SequenceEvaluateOptions {
  const frequencyPenalty = body.frequency_penalty ?? 0;
  const presencePenalty = body.presence_penalty ?? 0;
  const repeatPenalty = body.repeat_penalty ?? 1;
  const penalizes = frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1;
  return {
    temperature: body.temperature ?? 0.8,
    topP: body.top_p ?? 0.95,
    topK: body.top_k ?? 40,
    minP: body.min_p ?? 0.05,
    // llama.cpp's seeds have 32 bits.
    seed: body.seed == null ? Math.floor(Math.random() * 2 ** 32) : body.seed >>> 0,
    ...(penalizes && {
      repeatPenalty: {
        punishTokens: () => generated.slice(-PENALIZED),
        maxPunishTokens: PENALIZED,
        ...{ penalty: repeatPenalty, frequencyPenalty, presencePenalty },
      },
    }),
  };
}
