import type { TerminalCommand } from './shared/command.ts';

const EXIT_CODES = '0 done, 1 failed, 2 bad arguments';

/** `robot-daemon token` */
export function tokenCommands(program: TerminalCommand): void {
  const token = program
    .sub(
      'token',
      'Creates, lists and revokes the tokens of the daemon on the data folder, running or not. Changes apply at once',
    )
    .summary('creates, lists and revokes the tokens to deploy models')
    .onDataFolder()
    .exitCodes(EXIT_CODES);
  token
    .sub('create [name]', 'Creates a token. It is shown once; only its hash is saved', ['its name (token-1)'])
    .option('--scope <scope>', scopes, appended)
    .option('--namespace <name>', 'where it may deploy; repeatable (everywhere)', appended)
    .onDataFolder()
    .examples(
      'TOKEN=$(robot-daemon token create)',
      'robot-daemon token create ci --scope deploy --namespace lab',
      'robot-daemon token create phone --scope daemon',
    )
    .exitCodes(EXIT_CODES)
    .action(async (name: string | undefined, options, { paths }: TerminalCommand) =>
      (await import('./token.ts')).createToken(name, paths, options),
    );
  token
    .sub('list', 'Lists the tokens, without their text')
    .option('--json', 'the list as JSON')
    .onDataFolder()
    .exitCodes(EXIT_CODES)
    .action(async (options, { paths }: TerminalCommand) => (await import('./token.ts')).listTokens(paths, options));
  token
    .sub('revoke <name>', 'Revokes a token; its endpoints stay', ['the name of the token'])
    .onDataFolder()
    .exitCodes(EXIT_CODES)
    .action(async (name: string, _, { paths }: TerminalCommand) =>
      (await import('./token.ts')).revokeToken(name, paths),
    );
}

const scopes = `what it may do; repeatable (deploy): "deploy", create, change and use the endpoints of models; "daemon", \
use the daemon from another machine; "endpoint:<namespace>/<name>", use one endpoint`;

/** For an option that can be given several times. */
const appended = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
