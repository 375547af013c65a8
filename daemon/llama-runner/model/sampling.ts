import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';

/** How the next token is chosen; null: the default of llama.cpp's own server. */
export interface Sampling {
  readonly temperature: number | null;
  readonly topP: number | null;
  /** 0: all tokens. */
  readonly topK: number | null;
  readonly minP: number | null;
  readonly seed: number | null;
  readonly frequencyPenalty: number | null;
  readonly presencePenalty: number | null;
  /** 1: none. */
  readonly repeatPenalty: number | null;
}

/** The newest tokens that penalties look at. */
const PENALIZED = 64;

/** @param generated the tokens so far, which grow */
export function evaluateOptions(sampling: Sampling, generated: readonly Token[]): SequenceEvaluateOptions {
  const { frequencyPenalty, presencePenalty, repeatPenalty } = sampling;
  const penalizes = (frequencyPenalty ?? 0) !== 0 || (presencePenalty ?? 0) !== 0 || (repeatPenalty ?? 1) !== 1;
  return {
    temperature: sampling.temperature ?? 0.8,
    topP: sampling.topP ?? 0.95,
    topK: sampling.topK ?? 40,
    minP: sampling.minP ?? 0.05,
    seed: sampling.seed ?? Math.floor(Math.random() * 2 ** 32),
    ...(penalizes
      ? {
          repeatPenalty: {
            punishTokens: () => generated.slice(-PENALIZED),
            maxPunishTokens: PENALIZED,
            penalty: repeatPenalty ?? 1,
            frequencyPenalty: frequencyPenalty ?? 0,
            presencePenalty: presencePenalty ?? 0,
          },
        }
      : {}),
  };
}
