import type { CompletedCommand, CompletedOption, ValueKind } from './completed-command.ts';

/** A case of a `case` statement, which bash and zsh share: a quoted pattern, and what happens there. */
export type Case = readonly [pattern: string, action: string];

/** A word in single quotes. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The name of the function that completes a program. */
export const functionName = (program: string): string => `_${program.replaceAll('-', '_')}`;

export const casesOf = (cases: readonly Case[]): string =>
  cases.map(([pattern, action]) => `      ${pattern}) ${action} ;;`).join('\n');

/** The effect of a word on the place in the tree: `at`, and `value`, the option whose value is next. */
export function stepsIn(commands: readonly CompletedCommand[]): Case[] {
  return commands.flatMap(({ path, commands: below, options }) => [
    ...below.map(({ name }): Case => [quoted(`${path}|${name}`), `at=${quoted(`${path} ${name}`.trim())} count=0`]),
    ...optionsWithValue(options).map((name): Case => [quoted(`${path}|${name}`), 'value=$word']),
  ]);
}

/** The kind of the value that is next, by `$at|$value`. */
export function kindsOfOptions(commands: readonly CompletedCommand[]): Case[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === null ? [] : names.map((name): Case => [quoted(`${path}|${name}`), setKind(value)]),
    ),
  );
}

/** The kinds of the arguments of commands without others below, by `$at|$count`. */
export function kindsOfArguments(commands: readonly CompletedCommand[]): Case[] {
  return commands.flatMap(({ path, arguments: kinds }) =>
    kinds.map((kind, index): Case => [quoted(`${path}|${index}`), setKind(kind)]),
  );
}

/** Words to choose from follow "=". */
const setKind = (kind: ValueKind) => `kind=${quoted(typeof kind === 'string' ? kind : `=${kind.join(' ')}`)}`;

export const optionsWithValue = (options: readonly CompletedOption[]): string[] =>
  options.flatMap(({ names, value }) => (value === null ? [] : names));
