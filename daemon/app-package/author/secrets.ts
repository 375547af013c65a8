import { inFile, type PackageFinding, problem } from '../package-finding.ts';
import type { OwnFiles } from './own-files.ts';

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
interface FoundSecret {
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

const MAX_FILE_BYTES = 512 * 1024;
const MAX_FILES = 500;
const MAX_FINDINGS = 20;
const MEDIA = /\.(?:png|jpe?g|gif|webp|ico|wav|mp3|ogg|flac|mp4|webm|onnx|npy|npz|pt|bin|zip|gz|whl|woff2?|ttf|pdf)$/i;

/** Finds tokens in the files that are published. Their text is in no message. */
export async function secretFindings(files: OwnFiles): Promise<PackageFinding[]> {
  const findings: PackageFinding[] = [];
  const paths = files.paths.filter(
    (path) => !MEDIA.test(path) && (files.sizes.get(path) ?? 0) <= MAX_FILE_BYTES && files.isPublished(path),
  );
  for (const path of paths.slice(0, MAX_FILES)) {
    const text = (await files.read(path)) ?? '';
    if (text.includes('\0')) continue;
    for (const { kind, line } of secretsIn(text)) {
      const message = `${path} holds ${kind}, which everyone could read who gets the app.`;
      findings.push(inFile(problem('secret', message, 'Read it from a variable, and revoke this one.'), path, line));
    }
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}
