import { allowedOption, overLimit, refusalReason } from './llama-options.ts';

interface ArgumentProblem {
  /** The index of the word. */
  readonly at: number;
  readonly message: string;
  /** Whether the server starts without the option: an endpoint of an earlier version may have it. */
  readonly isLeftOut?: true;
}

interface Reading {
  /** The words for the server, which knows no `--name=value`. */
  readonly words: readonly string[];
  readonly problems: readonly ArgumentProblem[];
}

const NUMBER = /^-(\d|\.\d)/;
/** Absolute and relative paths of both systems, and addresses. A slash alone is part of grammars and templates. */
const PATH = /^(\/|~|\.{1,2}[\\/]|[A-Za-z]:[\\/]|\\\\|[a-z][a-z0-9+.-]*:\/\/)/i;
/** Their values are texts in a language of their own, which may begin like a path. */
const TEXTS = ['--chat-template', '--grammar', '--reverse-prompt', '-r', '--dry-sequence-breaker', '--samplers'];
/** The gateway gives a replica as many requests as it has slots. llama.cpp's own choice, -1, is four that share one context. */
const SLOTS = ['-np', '--parallel'];
const COUNT = /^[1-9]\d*$/;

/**
 * Reads an endpoint's own arguments for llama.cpp's server as the server would. Only listed options pass: a version that
 * is installed later may have new ones, and one that nobody has looked at must not reach this machine's files. A value
 * that begins with a dash must be a number, so that no option can pass for the value of another.
 */
export function readLlamaArguments(args: readonly string[]): Reading {
  const words: string[] = [];
  const problems: ArgumentProblem[] = [];
  for (let at = 0; at < args.length; at++) {
    const [name, joined] = split(args[at] ?? '');
    const option = allowedOption(name);
    if (option === null) {
      problems.push({ at, message: refused(name) });
      // Its value, if one follows, needs no complaint of its own.
      if (name.startsWith('-') && joined === null && isValue(args[at + 1])) at++;
      continue;
    }
    words.push(name);
    const next = args[at + 1];
    const value = joined ?? (option.value !== 'none' && isValue(next) ? next : null);
    if (option.value === 'none' ? joined !== null : value === null && option.value === 'one') {
      problems.push({ at, message: `${name} takes ${option.value === 'none' ? 'no' : 'a'} value.` });
      continue;
    }
    if (value === null) continue;
    if (joined === null) at++;
    if (SLOTS.includes(name) && !COUNT.test(value)) {
      problems.push({ at, message: noCount(name), isLeftOut: true });
      words.pop();
      continue;
    }
    if (!isValue(value)) problems.push({ at, message: `The value of ${name} looks like an option.` });
    else if (PATH.test(value) && !TEXTS.includes(name)) problems.push({ at, message: refusedPath(name) });
    const tooLarge = overLimit(name.replaceAll('_', '-'), Number.parseInt(value, 10));
    if (tooLarge !== null) problems.push({ at, message: tooLarge });
    words.push(value);
  }
  return { words, problems };
}

/** The words of an endpoint's arguments for the server, which reads `--chat_template` as `--chat-template`. */
export function llamaWords(args: readonly string[] | null | undefined): string[] {
  const { words } = readLlamaArguments(args ?? []);
  return words.map((word) => (word.startsWith('--') ? word.replaceAll('_', '-') : word));
}

function split(word: string): [name: string, value: string | null] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at !== -1 ? [word.slice(0, at), word.slice(at + 1)] : [word, null];
}

function isValue(word: string | undefined): word is string {
  return word !== undefined && (!word.startsWith('-') || NUMBER.test(word) || word === '-');
}

function refused(name: string): string {
  if (!name.startsWith('-')) return `${JSON.stringify(name)} follows no option that takes a value.`;
  const reason = refusalReason(name);
  if (reason !== null) return `An endpoint may not set ${name}: ${reason}.`;
  return `${name} is not among the options of llama.cpp's server that an endpoint may set.`;
}

const noCount = (name: string) =>
  `${name} is a whole number of 1 or more. Leave it out for as many as the memory has room for.`;

const refusedPath = (name: string) =>
  `The value of ${name} is a path or an address: an endpoint reads no other files than its model.`;
