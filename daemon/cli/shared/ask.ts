import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DomainError } from '../../shared/domain-error.ts';
import { BadArguments, Interrupted } from './errors.ts';

/** Whether a person can be asked. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** @param what a command that asks, and its reason @throws BadArguments where nobody can be asked */
export function requirePerson(what: string): void {
  if (!canAsk()) throw new BadArguments(`${what}; without a terminal, give --yes.`);
}

/** The person decided otherwise, so nothing has changed. */
export class Declined extends DomainError {}

/**
 * Asks on the terminal. Questions are on standard error, so that standard output stays for results.
 * @param options.proposed the meaning of an empty answer
 * @param options.signal ends the question
 * @throws Interrupted after Ctrl-C and Ctrl-D, and at the signal
 */
export async function ask(
  question: string,
  { proposed = '', signal }: { readonly proposed?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const hint = proposed === '' ? '' : ` [${proposed}]`;
  const answer = await answerTo(`${question}${hint} `, process.stderr, { signal });
  return answer.trim() || proposed;
}

/** Asks for a secret, which is not shown. @throws Interrupted */
export async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  try {
    // Written once the terminal no longer shows what is typed: a person types after the question.
    return (await answerTo('', nowhere, { onReady: () => process.stderr.write(`${question} `) })).trim();
  } finally {
    process.stderr.write('\n');
  }
}

async function answerTo(
  prompt: string,
  output: NodeJS.WritableStream,
  { onReady = () => {}, signal }: { readonly onReady?: () => unknown; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  onReady();
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  signal?.addEventListener('abort', () => terminal.close());
  try {
    return await terminal.question(prompt, { signal: closed.signal });
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    output.write('\n');
    throw new Interrupted();
  } finally {
    terminal.close();
  }
}

/** Asks until the answer is one of some words. @throws Interrupted */
export async function choose<T extends string>(question: string, choices: readonly T[], proposed: T): Promise<T> {
  for (;;) {
    const answer = (await ask(`${question} (${choices.join(', ')})`, { proposed })).toLowerCase();
    const chosen = choices.find((choice) => choice === answer);
    if (chosen !== undefined) return chosen;
    process.stderr.write(`Answer ${choices.join(' or ')}.\n`);
  }
}

/** Asks a question that only "y" or "yes" affirms. @throws Interrupted */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(`${question} [y/N]`, { signal }));
}
