import type { TerminalCommand } from '../shared/command.ts';
import { bashCompletion } from './bash.ts';
import { completedCommands } from './completed-command.ts';
import type { Shell } from './completion-commands.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints the script that completes a program in a shell, made from its commands. */
export function printCompletion(program: TerminalCommand, shell: Shell): void {
  process.stdout.write(scripts[shell](program.name(), completedCommands(program)));
}
