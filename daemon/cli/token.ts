import { type AccessToken, AccessTokens, TokenName, TokenScope } from '../access/access-tokens.ts';
import { Namespace } from '../contract/endpoints/endpoint.ts';
import { namespaceOnDisk } from '../endpoints/records/namespace-on-disk.ts';
import { createLogger } from '../shared/logger.ts';
import { BadArguments } from './shared/bad-arguments.ts';
import { type CommandArguments, commandArguments } from './shared/command-arguments.ts';
import { print, printError, printJson } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';
import { textTable } from './shared/text-table.ts';

const help = `Usage: robot-daemon token create [<name>] [--scope <scope> ...] [--namespace <name> ...] [--data-dir <folder>]
       robot-daemon token list [--json] [--data-dir <folder>]
       robot-daemon token revoke <name> [--data-dir <folder>]

Creates, lists and revokes the tokens of the daemon on the data folder, running or not. Changes apply at once. A token is
shown once, at its creation; only its hash is saved.
  --scope <scope>      what it may do; repeatable (deploy):
                       deploy                        create, change and use the endpoints of models
                       daemon                        use the daemon from another machine
                       endpoint:<namespace>/<name>   use one endpoint
  --namespace <name>   where it may deploy; repeatable (everywhere)
  --json               the list as JSON

Exit codes: 0 done, 1 failed, 2 bad arguments.
`;

/** `robot-daemon token` */
export async function token(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help, ['json'], { maxPositionals: 2, lists: ['scope', 'namespace'] });
    if (!given) return;
    const tokens = new AccessTokens(given.paths.tokensFile, { log: createLogger('error') });
    const [what, name = null] = given.positionals;
    if (what !== 'create' && Object.values(given.lists).some(({ length }) => length > 0)) {
      throw new BadArguments('--scope and --namespace are for token create.');
    }
    if (what !== 'list' && given.switches.has('json')) throw new BadArguments('--json is for token list.');
    if (what === 'create') return await create(tokens, name, given);
    if (what === 'list' && name === null) return await list(tokens, given);
    if (what === 'revoke' && name !== null) return await revoke(tokens, name);
    throw new BadArguments(
      what === 'revoke' ? 'token revoke needs the name of the token.' : 'token needs create, list or revoke.',
    );
  } catch (error) {
    reportFailure(error);
  }
}

async function create(tokens: AccessTokens, name: string | null, { lists, paths }: CommandArguments): Promise<void> {
  const { scope = [], namespace = [] } = lists;
  const made = await tokens.create({
    name: name === null ? null : checked(TokenName, name, 'a valid name: at most 64 letters, digits and . _ - @'),
    scopes: scope.length === 0 ? ['deploy'] : scope.map((one) => checked(TokenScope, one, 'a scope; see --help')),
    namespaces: namespace.length === 0 ? null : namespace.map((one) => checked(Namespace, one, 'a valid namespace')),
  });
  // The token alone on standard output: `TOKEN=$(robot-daemon token create)`.
  printError(
    `"${made.token.name}" ${purpose(made.token)}. It is valid for the daemon of ${paths.root}, and shown only once; send it as a bearer token:`,
  );
  process.stdout.write(`${made.text}\n`);
  for (const missing of await missingEndpoints(made.token, paths.endpoints)) {
    printError(`There is no endpoint ${missing} now: the token is for one that gets this name.`);
  }
}

/** The endpoints of the scopes that do not exist. */
async function missingEndpoints({ scopes }: AccessToken, folder: string): Promise<readonly string[]> {
  const ids = scopes.flatMap((scope) => /^endpoint:(.+\/.+)$/.exec(scope)?.[1] ?? []);
  const found = await Promise.all(
    ids.map(async (id) => {
      const [namespace = '', name = ''] = id.split('/');
      return (await namespaceOnDisk(folder, name)) === namespace ? [] : [id];
    }),
  );
  return found.flat();
}

async function list(tokens: AccessTokens, { switches, paths }: CommandArguments): Promise<void> {
  const all = await tokens.list();
  if (switches.has('json')) printJson(all);
  else if (all.length === 0) print(`No tokens in ${paths.root}.\n`);
  else print(table(all));
}

async function revoke(tokens: AccessTokens, name: string): Promise<void> {
  const ended = await tokens.revoke(name);
  print(`"${ended.name}" is revoked. Its endpoints stay.\n`);
}

/** The permissions of a token, for a person. */
function purpose({ scopes, namespaces }: AccessToken): string {
  const where = namespaces === null ? 'in every namespace' : `in ${namespaces.join(', ')}`;
  const may = scopes.map((scope) => {
    if (scope === 'deploy') return `deploy ${where}`;
    if (scope === 'daemon') return 'use this daemon from another machine';
    const endpoint = scope.slice('endpoint:'.length);
    return endpoint.includes('/')
      ? `use the endpoint ${endpoint}`
      : `use nothing with ${scope}, which lacks a namespace`;
  });
  return `may ${may.join('; ')}`;
}

function table(tokens: readonly AccessToken[]): string {
  const rows = tokens.map(({ name, scopes, namespaces, createdAt }) => [
    name,
    scopes.join(', '),
    namespaces?.join(', ') ?? 'all',
    createdAt,
  ]);
  return textTable(['NAME', 'SCOPES', 'NAMESPACES', 'CREATED'], rows);
}

function checked(schema: typeof TokenName, text: string, what: string): string {
  const { success, data } = schema.safeParse(text);
  if (!success) throw new BadArguments(`"${text}" is not ${what}.`);
  return data;
}
