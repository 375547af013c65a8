interface TokenForm {
  /** The fixed beginning and the length that a service gives its tokens, so that prose and class names have none. */
  readonly form: RegExp;
  readonly kind: string;
  /** Whether a text of this form is a token, where the form alone is not enough. */
  readonly accepts?: (token: string) => boolean;
}

const TOKENS: readonly TokenForm[] = [
  // Most of these have letters only.
  { form: /\bhf_[A-Za-z0-9]{30,}\b/g, kind: 'a token of the hub (hf_…)' },
  { form: /\bsk-[\w-]{20,}/g, kind: 'a key of a model service (sk-…)', accepts: isModelServiceKey },
  { form: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})\b/g, kind: 'a token of a code host (gh…)' },
  { form: /\bAKIA[0-9A-Z]{16}\b/g, kind: 'a key of a cloud account (AKIA…)' },
  { form: /\bAIza[\w-]{35}/g, kind: 'a key of a web service (AIza…)' },
  { form: /\bxox[abprs]-[\w-]{20,}/g, kind: 'a token of a chat service (xox…)' },
  { form: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[\w+/=]{40}/g, kind: 'a private key' },
];

/** Words of examples that are too long to occur in a token by chance. */
const EXAMPLE =
  /example|placeholder|changeme|redacted|secret|replace|huggingface|1234567|(?:my|your)_?(?:own|token|key|api)|(?:token|key)_?here|(.)\1{5}/i;
const MIN_DIFFERENT = 8;

/** A token, key or password in a text. */
export interface FoundSecret {
  /** With its article, `a token of the hub (hf_…)`. */
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Finds tokens in a text, in the order of their kinds. */
export function secretsIn(text: string): FoundSecret[] {
  return TOKENS.flatMap(({ form, kind, accepts = () => true }) =>
    [...text.matchAll(form)]
      .filter(([token]) => accepts(token) && !isExample(token))
      .map(({ index }) => ({ kind, line: text.slice(0, index).split('\n').length })),
  );
}

/** Style sheets have names of this form, like `sk-circle-fade-animation`. */
function isModelServiceKey(token: string): boolean {
  const hasDigit = /\d/.test(token);
  const hasCapital = /[A-Z]/.test(token);
  return (hasDigit && hasCapital) || ((hasDigit || hasCapital) && /[A-Za-z0-9]{20}/.test(token));
}

/** Whether a text only shows where a token goes, like `hf_xxxxxxxx` and `sk-your-key-here`. */
function isExample(token: string): boolean {
  return EXAMPLE.test(token) || new Set(token.toLowerCase()).size < MIN_DIFFERENT;
}
