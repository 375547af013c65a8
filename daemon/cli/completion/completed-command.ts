import type { Argument, Command, Option } from 'commander';

/** The kind of a value: what a shell proposes for it. `app` and `endpoint` are asked from the daemon. */
export type ValueKind = 'any' | 'folder' | 'file' | 'app' | 'endpoint' | readonly string[];

/** The facts about a command by which a shell completes the words after it. */
export interface CompletedCommand {
  /** The words that call it, without the program's name; empty: the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly text: string }[];
  readonly options: readonly CompletedOption[];
  /** The kinds of its arguments, in order. */
  readonly arguments: readonly ValueKind[];
}

export interface CompletedOption {
  /** `--help`, `-h` */
  readonly names: readonly string[];
  /** null: it takes no value. */
  readonly value: ValueKind | null;
  readonly text: string;
}

/** The kinds of values by the names that usage texts give them. */
const optionKinds: Readonly<Record<string, ValueKind>> = {
  folder: 'folder',
  file: 'file',
  path: 'file',
  program: 'file',
  app: 'app',
};
const argumentKinds: Readonly<Record<string, ValueKind>> = {
  app: 'app',
  endpoint: 'endpoint',
  address: 'folder',
  path: 'folder',
  destination: 'folder',
};

/** A program and all its commands, in the order of its help text. */
export function completedCommands(program: Command): CompletedCommand[] {
  return below(program, []);
}

function below(command: Command, path: readonly string[]): CompletedCommand[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const commands = visible.map((each) => ({ name: each.name(), text: help.subcommandDescription(each) }));
  const names = commands.map(({ name }) => name).filter((name) => name !== 'help');
  const own: CompletedCommand = {
    path: path.join(' '),
    commands,
    options: help.visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map(kindOfArgument),
  };
  const deeper = visible.flatMap((each) =>
    each.name() === 'help'
      ? [{ path: [...path, 'help'].join(' '), commands: [], options: [], arguments: [names] }]
      : below(each, [...path, each.name()]),
  );
  return [own, ...deeper];
}

function completedOption(option: Option): CompletedOption {
  const name = /<(\w+)>/.exec(option.flags)?.[1];
  return {
    names: [option.long, option.short].filter((each) => each != null),
    value: name === undefined ? null : (option.argChoices ?? optionKinds[name] ?? 'any'),
    text: option.description,
  };
}

const kindOfArgument = (argument: Argument): ValueKind =>
  argument.argChoices ?? argumentKinds[argument.name()] ?? 'any';
