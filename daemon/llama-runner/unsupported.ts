import type * as z from 'zod';

/** Members of a request that would change the answer and that this runner cannot honour, each with the values that change nothing. */
const unsupported: Readonly<
  Record<string, { readonly isNeutral: (value: unknown) => boolean; readonly what: string }>
> = {
  tools: { isNeutral: isEmptyList, what: 'Tools' },
  functions: { isNeutral: isEmptyList, what: 'Functions' },
  n: { isNeutral: (value) => value === 1, what: 'Several answers to one request' },
  best_of: { isNeutral: (value) => value === 1, what: 'Several answers to one request' },
  logprobs: { isNeutral: (value) => value === false, what: 'Log probabilities' },
  top_logprobs: { isNeutral: (value) => value === 0, what: 'Log probabilities' },
  logit_bias: { isNeutral: (value) => Object.keys(value as object).length === 0, what: 'Token biases' },
  audio: { isNeutral: () => false, what: 'Spoken answers' },
  modalities: { isNeutral: (value) => JSON.stringify(value) === '["text"]', what: 'Answers other than text' },
  echo: { isNeutral: (value) => value === false, what: 'An echo of the prompt' },
  suffix: { isNeutral: (value) => value === '', what: 'A text after the completion' },
  web_search_options: { isNeutral: () => false, what: 'Web searches' },
  dimensions: { isNeutral: () => false, what: 'Embeddings of another length' },
};

/** Refuses a body that asks for something that would silently be left out. */
export function refuseUnsupported(body: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [member, { isNeutral, what }] of Object.entries(unsupported)) {
    const value = body[member];
    if (value === undefined || value === null || isNeutral(value)) continue;
    const message = `${what} cannot be had from the built-in runtime.`;
    context.addIssue({ code: 'custom', path: [member], message, params: { code: 'unsupported_parameter' } });
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
