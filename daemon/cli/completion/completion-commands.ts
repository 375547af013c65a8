import { Argument } from 'commander';
import type { TerminalCommand } from '../shared/command.ts';

/** Make the script for a shell from the commands of a program. */
const scripts = {
  bash: async () => (await import('./bash.ts')).bashCompletion,
  zsh: async () => (await import('./zsh.ts')).zshCompletion,
  fish: async () => (await import('./fish.ts')).fishCompletion,
};

/** The command `completion` of a program. With `asksDaemon`, the shell asks it for the names of apps and endpoints. */
export function completionCommands(program: TerminalCommand, { asksDaemon }: { readonly asksDaemon: boolean }): void {
  const name = program.name();
  const completion = program
    .sub('completion', 'Prints a script that completes commands, options and names in a shell')
    .examples(
      `eval "$(${name} completion bash)"    # in ~/.bashrc`,
      `eval "$(${name} completion zsh)"     # in ~/.zshrc, after compinit`,
      `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    )
    .exitCodes('0 done, 2 bad arguments');
  for (const [shell, load] of Object.entries(scripts)) {
    completion.sub(shell, `Prints the script for ${shell}`).action(async () => {
      const [script, { completedCommands }] = await Promise.all([load(), import('./completed-command.ts')]);
      process.stdout.write(script(name, completedCommands(program)));
    });
  }
  if (!asksDaemon) return;
  const names = completion.createCommand('names').description('Prints names, for the scripts').onDataFolder();
  names.addArgument(new Argument('<kind>', 'the kind of names').choices(['app', 'endpoint']));
  names.does(async () => (await import('./print-names.ts')).printNames);
  completion.addCommand(names, { hidden: true });
}
