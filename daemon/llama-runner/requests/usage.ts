import type { Generation } from '../model/generator.ts';

/** The counts of a generation, as OpenAI has them. */
export function usageOf({ promptTokens, cachedTokens, completionTokens }: Generation) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** The times of a generation, as llama.cpp's own server has them. */
export function timingsOf(generation: Generation) {
  const { promptTokens, cachedTokens, completionTokens, promptMs, completionMs } = generation;
  const computed = promptTokens - cachedTokens;
  return {
    cache_n: cachedTokens,
    prompt_n: computed,
    prompt_ms: promptMs,
    prompt_per_second: perSecond(computed, promptMs),
    predicted_n: completionTokens,
    predicted_ms: completionMs,
    predicted_per_second: perSecond(completionTokens, completionMs),
  };
}

function perSecond(count: number, ms: number): number {
  return ms > 0 ? (count / ms) * 1_000 : 0;
}
