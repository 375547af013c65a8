import { type Case, casesOf, functionName, kindsOfArguments, kindsOfOptions, quoted, stepsIn } from './cases.ts';
import type { CompletedCommand } from './completed-command.ts';

/** A script that completes a program in bash, from the 3.2 of macOS on. */
export function bashCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program);
  const options = commands.map(
    (each): Case => [quoted(each.path), wordsOf(each.options.flatMap(({ names }) => names))],
  );
  const below = commands
    .filter((each) => each.commands.length > 0)
    .map((each): Case => [quoted(`${each.path}|0`), wordsOf(each.commands.map((command) => command.name))]);
  return `# Completion of ${program} in bash. In ~/.bashrc: eval "$(${program} completion bash)"
${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} at='' value='' count=0 kind='' folder='' word line i
  [[ $current == = ]] && current=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
    if [[ $value ]]; then
      [[ $value == --data-dir ]] && folder=\${word/#\\~/$HOME}
      value=''
      continue
    fi
    case "$at|$word" in
${casesOf(stepsIn(commands))}
      *'|-'*) ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ $value ]]; then
    case "$at|$value" in
${casesOf(kindsOfOptions(commands))}
    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${casesOf(options)}
    esac
  else
    case "$at|$count" in
${casesOf([...below, ...kindsOfArguments(commands)])}
    esac
  fi
  case "$kind" in
    =*) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "\${kind#=}" -- "$current") ;;
    folder | file)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
        if [[ $kind == folder ]]; then compgen -d -- "$current"; else compgen -f -- "$current"; fi
      ) ;;
    app | endpoint)
      while IFS= read -r line; do
        [[ $line == "$current"* ]] && COMPREPLY+=("$line")
      done < <("\${COMP_WORDS[0]}" completion names "$kind" \${folder:+--data-dir "$folder"} 2>/dev/null) ;;
  esac
}
complete -F ${name} ${program}
`;
}

const wordsOf = (words: readonly string[]) => `kind=${quoted(`=${words.join(' ')}`)}`;
