import { type AccessToken, AccessTokens } from '../access/access-tokens.ts';
import { Namespace } from '../contract/endpoints/endpoint.ts';
import { TokenName, TokenScope } from '../contract/tokens.ts';
import { isStored } from '../endpoints/records/endpoint-files.ts';
import { systemNow } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { createLogger } from '../shared/logger.ts';
import { BadArguments } from './shared/errors.ts';
import { type JsonOption, print, printError, printResult, textTable } from './shared/print.ts';

const tokensOf = (paths: DataPaths) =>
  new AccessTokens(paths.tokensFile, { log: createLogger('error'), now: systemNow });

interface CreateTokenOptions {
  readonly scope?: readonly string[];
  readonly namespace?: readonly string[];
}

/** `robot-daemon token create` */
export async function createToken(
  paths: DataPaths,
  name: string | undefined,
  { scope = [], namespace = [] }: CreateTokenOptions,
): Promise<void> {
  const made = await tokensOf(paths).create({
    name: name === undefined ? null : checked(TokenName, name, 'a valid name: at most 64 letters, digits and . _ - @'),
    scopes: scope.length === 0 ? ['deploy'] : scope.map((one) => checked(TokenScope, one, 'a scope; see --help')),
    namespaces: namespace.length === 0 ? null : namespace.map((one) => checked(Namespace, one, 'a valid namespace')),
  });
  // The token alone on standard output: `TOKEN=$(robot-daemon token create)`.
  printError(
    `"${made.token.name}" ${purpose(made.token)}. It is valid for the daemon of ${paths.root}, and shown only once; send it as a bearer token:`,
  );
  process.stdout.write(`${made.text}\n`);
  for (const scope of made.token.scopes) {
    const [, namespace = '', name] = /^endpoint:(.+)\/(.+)$/.exec(scope) ?? [];
    if (name === undefined || (await isStored(paths.endpoints, { namespace, name }))) continue;
    printError(`There is no endpoint ${namespace}/${name} yet: the token works once there is one.`);
  }
}

/** `robot-daemon token list` */
export async function listTokens(paths: DataPaths, options: JsonOption): Promise<void> {
  const all = await tokensOf(paths).list();
  printResult(options, all, all.length === 0 ? `No tokens in ${paths.root}.\n` : table(all));
}

/** `robot-daemon token revoke` */
export async function revokeToken(paths: DataPaths, name: string): Promise<void> {
  const ended = await tokensOf(paths).revoke(name);
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
