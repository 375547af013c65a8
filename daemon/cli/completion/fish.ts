import { functionName, optionsWithValue } from './cases.ts';
import type { CompletedCommand, CompletedOption, ValueKind } from './completed-command.ts';

/** A script that completes a program in fish: a file in ~/.config/fish/completions, or to be sourced. */
export function fishCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${functionName(program)}`;
  const line = (path: string, count: number | null, rest: string) =>
    `complete -c ${program} -n ${quoted(`${name}_at ${quoted(path)}${count === null ? '' : ` ${count}`}`)} ${rest}`;
  const lines = commands.flatMap(({ path, commands: below, options, arguments: kinds }) => [
    ...below.map((command) => line(path, 0, `-a ${command.name} -d ${quoted(command.text)}`)),
    ...options.map((option) => line(path, null, optionText(option, name))),
    ...kinds.flatMap((kind, index) => (kind === 'any' ? [] : [line(path, index, proposals(kind, name))])),
  ]);
  return `# Completion of ${program} in fish. To install it:
#   ${program} completion fish > ~/.config/fish/completions/${program}.fish
# Whether the words before the cursor call a command, with so many arguments.
function ${name}_at
    set -l at ''
    set -l count 0
    set -l value ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test -n "$value"
            set value ''
            continue
        end
        switch "$at|$word"
${commands.flatMap(({ path, commands: below, options }) => stepsOf(path, below, options)).join('\n')}
            case '*|-*'
            case '*'
                set count (math $count + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test $count -eq $argv[2]
end
function ${name}_names
    set -l words (commandline -opc)
    set -l folder
    for i in (seq 2 (count $words))
        if test "$words[$i]" = --data-dir; and test $i -lt (count $words)
            set folder --data-dir $words[(math $i + 1)]
        else if string match -q -- '--data-dir=*' $words[$i]
            set folder $words[$i]
        end
    end
    eval (string escape -- $words[1]) completion names $argv[1] (string escape -- $folder) 2>/dev/null
end
complete -c ${program} -f
${lines.join('\n')}
`;
}

function stepsOf(path: string, below: CompletedCommand['commands'], options: readonly CompletedOption[]): string[] {
  return [
    ...below.map(
      ({ name }) =>
        `            case ${quoted(`${path}|${name}`)}\n                set at ${quoted(`${path} ${name}`.trim())}\n                set count 0`,
    ),
    ...optionsWithValue(options).map(
      (option) => `            case ${quoted(`${path}|${option}`)}\n                set value $word`,
    ),
  ];
}

function optionText({ names, value, text }: CompletedOption, name: string): string {
  const flags = names.map((each) => (each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`));
  const takes = value === null ? '' : value === 'any' ? ' -x' : ` ${proposals(value, name)}`;
  return `${flags.join(' ')}${takes} -d ${quoted(text)}`;
}

function proposals(kind: Exclude<ValueKind, 'any'>, name: string): string {
  if (kind === 'folder') return `-x -a '(__fish_complete_directories)'`;
  if (kind === 'file') return '-r -F';
  return typeof kind === 'string' ? `-x -a '(${name}_names ${kind})'` : `-x -a ${quoted(kind.join(' '))}`;
}

/** In fish, a backslash before a quotation mark makes it part of the word. */
const quoted = (word: string) => `'${word.replace(/[\\']/g, '\\$&')}'`;
