import { resolve } from 'node:path';
import {
  type Argument,
  Command,
  CommanderError,
  type ErrorOptions,
  type HelpConfiguration,
  type HelpContext,
  type Option,
} from 'commander';
import { type DataPaths, dataPaths, defaultDataDir } from '../../shared/files/data-paths.ts';
import { BadArguments } from './errors.ts';
import { reportFailure } from './report-failure.ts';

/** Of a command that works on the running daemon. */
export const exitCodesOnDaemon = '0 done, 1 failed, 2 bad arguments, 3 no daemon runs, 130 interrupted';

/** Commander's words for a value that is none of the allowed ones. */
const INVALID_CHOICE = /^option '(\S+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s;

/** Descriptions are sentences. In a list, a command has its arguments, and a text in small letters. */
const helpStyle: HelpConfiguration = {
  commandDescription: (command) => (command.description() === '' ? '' : `${command.description()}.`),
  optionDescription: optionText,
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
  subcommandDescription: (command) => withSmallLetter(command.summary() || command.description()),
};

function optionText({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const unless = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  return `${description}${argChoices ? `: ${argChoices.join(', ')}` : ''}${unless === undefined ? '' : ` (${unless})`}`;
}

const argumentTerm = (argument: Argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`);
const withSmallLetter = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A command of a program: bad arguments become BadArguments, with a sentence; `--help` ends with examples. */
export class TerminalCommand extends Command {
  #examples: readonly string[] = [];
  #exitCodes = '';

  constructor(name?: string) {
    super(name);
    this.helpOption('-h, --help', 'show this');
    this.configureHelp(helpStyle);
    this.exitOverride(); // commander throws once it has shown a help text
    this.enablePositionalOptions();
    this.addHelpText('after', () => this.#ending);
  }

  /** The command that is a program, which has the command `help`. */
  static program(name: string): TerminalCommand {
    return new TerminalCommand(name).helpCommand('help [command]', 'shows the help of a command');
  }

  override createCommand(name?: string): TerminalCommand {
    return new TerminalCommand(name);
  }

  /**
   * A command below this one.
   * @param usage its name and its arguments, `rm <app>`
   * @param nouns describe the arguments: `the name of an app`
   */
  sub(usage: string, description: string, nouns: readonly string[] = []): TerminalCommand {
    const command = (this.command(usage) as TerminalCommand).description(description);
    command.registeredArguments.forEach((argument, index) => {
      argument.description = nouns[index] ?? '';
    });
    return command;
  }

  /** A command below this one that works on the running daemon. */
  subOnDaemon(usage: string, description: string, nouns: readonly string[] = []): TerminalCommand {
    return this.sub(usage, description, nouns)
      .option('--json', 'the result as JSON')
      .onDataFolder()
      .exitCodes(exitCodesOnDaemon);
  }

  /** The option `--data-dir`, which says whose daemon the command is for. */
  onDataFolder(): this {
    return this.option('--data-dir <folder>', 'the folder of the daemon, for apps and data');
  }

  /** @param load loads its work when it is called: that gets the data folder, the arguments and the options */
  does(load: () => Promise<(paths: DataPaths, ...given: never[]) => Promise<void>>): this {
    return this.action(async (...given: unknown[]) => {
      const { paths } = given.pop() as TerminalCommand;
      await (await load())(paths, ...(given as never[]));
    });
  }

  /** The data folder that was given here or before the command, else the default one. */
  get paths(): DataPaths {
    const given = lineOf(this).map((command) => command.getOptionValue('dataDir') as string | undefined);
    return dataPaths(resolve(given.find(Boolean) ?? defaultDataDir()));
  }

  examples(...lines: readonly string[]): this {
    this.#examples = lines;
    return this;
  }

  exitCodes(text: string): this {
    this.#exitCodes = text;
    return this;
  }

  /** Runs the program on its arguments. A failure is printed, and sets the exit code. @param version for its `--version` */
  async run(argv: readonly string[], version: string): Promise<void> {
    this.version(version, '--version', 'show the version');
    // `help app install`: the parser's own help command takes one word.
    const [first, ...words] = argv;
    const given = first === 'help' && words.length > 1 ? [...words, '--help'] : argv;
    try {
      await this.parseAsync(given, { from: 'user' });
    } catch (error) {
      if (error instanceof CommanderError && error.exitCode === 0) return; // it has shown a help text or the version
      reportFailure(error, this.name());
    }
  }

  override error(message: string, { code }: ErrorOptions = {}): never {
    throw new BadArguments(this.#sentence(message, code));
  }

  override help(context?: HelpContext | ((text: string) => string)): never {
    const isError = typeof context === 'object' && context.error;
    if (!isError) return super.help(context as HelpContext);
    const [help, unknown] = this.args;
    const isAsked = help === 'help' && unknown !== undefined;
    throw new BadArguments(isAsked ? this.#unknownCommand(unknown, '') : `${this.#path} needs ${this.#subcommands}.`);
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [name = ''] = this.args;
    const isUnknown = this.commands.length > 0 && name !== '' && name !== 'help' && !name.startsWith('-');
    if (isUnknown) throw new BadArguments(this.#unknownCommand(name, ''));
    super.outputHelp(context as HelpContext);
  }

  get #ending(): string {
    const examples = this.#examples.map((line) => `\n  ${line}`).join('');
    return [examples && `\nExamples:${examples}`, this.#exitCodes && `\nExit codes: ${this.#exitCodes}.`]
      .filter(Boolean)
      .join('\n');
  }

  /** The words that call it, without the program's name; those of the program: its name. */
  get #path(): string {
    const names = lineOf(this).map((command) => command.name());
    return names.slice(0, -1).reverse().join(' ') || this.name();
  }

  get #subcommands(): string {
    const names = this.createHelp()
      .visibleCommands(this)
      .map((command) => command.name())
      .filter((name) => name !== 'help');
    return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  }

  #unknownCommand(name: string, suggestion: string): string {
    const known = this.parent ? `: it needs ${this.#subcommands}` : '';
    const what = this.parent ? `${this.#path} has` : 'There is';
    return `${what} no command '${name}'${known}.${suggestion}`;
  }

  /** A sentence for an error of commander. */
  #sentence(message: string, code: string | undefined): string {
    const [, what = message, hint] = /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
    const suggestion = hint === undefined ? '' : ` ${hint.replace('one of ', '').replace(/, (?=[^,]*$)/, ' or ')}`;
    if (code === 'commander.unknownOption') {
      const flag = what.slice("unknown option '".length, -1);
      return this.#foreignOption(flag) ?? `Unknown option '${flag}'.${suggestion}`;
    }
    if (code === 'commander.unknownCommand') {
      const [name = ''] = this.args;
      // The parser takes all that follows a `--` for no options: `npm start -- -- --sim`.
      if (name.startsWith('-')) return `'${name}' is no command: leave out the '--' before it.`;
      return this.#unknownCommand(name, suggestion);
    }
    if (code === 'commander.excessArguments') {
      const unexpected = `Unexpected argument '${this.args[this.registeredArguments.length]}'.`;
      return this.registeredArguments.length === 0
        ? unexpected
        : `${unexpected} Put quotes around words that belong together.`;
    }
    if (code === 'commander.missingArgument') {
      const missing = this.registeredArguments[this.args.length];
      return `${this.#path} needs ${missing?.description ?? missing?.name()}.`;
    }
    if (code === 'commander.invalidArgument') {
      const [, flag, given, choices] = INVALID_CHOICE.exec(what) ?? [];
      if (choices !== undefined) return `${flag} must be ${choices.replace(/, (?=[^,]*$)/, ' or ')}, not '${given}'.`;
    }
    const isWhole = /[.?!]$/.test(what);
    return `${what.charAt(0).toUpperCase()}${what.slice(1)}${isWhole ? '' : '.'}${suggestion}`;
  }

  /** An option of a command beside this one; null: there is none. */
  #foreignOption(flag: string): string | null {
    const [name = flag] = flag.split('=');
    const owner = this.parent?.commands.find((each) =>
      each.options.some(({ long, short }) => name === long || name === short),
    );
    return owner instanceof TerminalCommand && this.parent?.parent ? `${name} is for ${owner.#path}.` : null;
  }
}

/** A command and those above it, up to the program. */
function lineOf(command: Command): readonly Command[] {
  return command.parent ? [command, ...lineOf(command.parent)] : [command];
}

/** A parser of an option's value. @throws BadArguments */
export const wholeNumber =
  (option: string, least: 0 | 1) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new BadArguments(`${option} needs a whole number, ${least} or more.`);
  };

/** Likewise, for a number that need not be whole. */
export const positiveNumber =
  (option: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
    throw new BadArguments(`${option} needs a number, 0 or more.`);
  };
