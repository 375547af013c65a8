import { type Case, casesOf, functionName, kindsOfArguments, kindsOfOptions, quoted, stepsIn } from './cases.ts';
import type { CompletedCommand } from './completed-command.ts';

/** A script that completes a program in zsh: to be evaluated after `compinit`, or a file `_<program>` in a folder of `fpath`. */
export function zshCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program);
  const options = commands.map(
    (each): Case => [
      quoted(each.path),
      listOf(each.options.flatMap(({ names, text }) => names.map((option) => ({ name: option, text })))),
    ],
  );
  const below = commands
    .filter((each) => each.commands.length > 0)
    .map((each): Case => [quoted(`${each.path}|0`), `kind=command ${listOf(each.commands)}`]);
  return `#compdef ${program}
# Completion of ${program} in zsh. In ~/.zshrc, after compinit: eval "$(${program} completion zsh)"
${name}() {
  local at='' value='' kind='' folder='' word
  local -i i count=0
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    word=\${(Q)words[i]}
    if [[ -n $value ]]; then
      [[ $value == --data-dir ]] && folder=\${word/#\\~/$HOME}
      value=''
      continue
    fi
    [[ $word == --data-dir=* ]] && folder=\${\${word#*=}/#\\~/$HOME}
    case "$at|$word" in
${casesOf(stepsIn(commands))}
      *'|-'*) ;;
      *) count+=1 ;;
    esac
  done
  if [[ -z $value && $PREFIX == --*=* ]]; then
    value=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $value ]]; then
    case "$at|$value" in
${casesOf(kindsOfOptions(commands))}
    esac
  elif [[ $PREFIX == -* ]]; then
    kind=option
    case "$at" in
${casesOf(options)}
    esac
  else
    case "$at|$count" in
${casesOf([...below, ...kindsOfArguments(commands)])}
    esac
  fi
  case "$kind" in
    command) _describe command list ;;
    option) _describe -o option list ;;
    '='*) compadd -- \${=kind#=} ;;
    folder) _files -/ ;;
    file) _files ;;
    app | endpoint) compadd -- \${(f)"$(\${(Q)words[1]} completion names $kind \${folder:+--data-dir} \${folder:+$folder} 2>/dev/null)"} ;;
  esac
}
if [[ \${funcstack[1]} == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

/** Names with their texts; a colon separates them. */
const listOf = (entries: readonly { readonly name: string; readonly text: string }[]) =>
  `list=(${entries.map(({ name, text }) => quoted(`${name.replaceAll(':', '\\:')}:${text}`)).join(' ')})`;
