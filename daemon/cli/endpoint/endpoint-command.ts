import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import type { CommandArguments } from '../shared/command-arguments.ts';
import { daemonUrl } from '../shared/daemon-url.ts';
import { print, printError, printJson } from '../shared/print.ts';
import type { TokenForNow } from '../shared/with-token.ts';

/** The input of a command: the daemon, a token for it, and the words after the command's own. */
export interface CommandContext extends TokenForNow {
  readonly url: string;
  readonly words: readonly string[];
  readonly given: CommandArguments;
}

export type EndpointCommand = (context: CommandContext) => Promise<void>;

class NoSuchEndpoint extends DomainError {
  constructor(name: string) {
    super(`There is no endpoint "${name}". "robot-daemon endpoint ls" lists them.`);
  }
}

/** The address of the daemon; without one, says so and sets the exit code. */
export async function daemonOf(paths: DataPaths): Promise<string | null> {
  const url = await daemonUrl(paths);
  if (url !== null) return url;
  printError(`No robot daemon runs on ${paths.root}. Start it: endpoints run in it.`);
  process.exitCode = 3;
  return null;
}

export function clientOf({ url, token }: CommandContext): DaemonClient {
  return daemonAt(url, { token });
}

/** The endpoint that the first word names, with or without its namespace. @throws NoSuchEndpoint */
export async function endpointOf(context: CommandContext): Promise<OwnEndpoint> {
  const [word = ''] = context.words;
  const name = word.slice(word.lastIndexOf('/') + 1);
  const namespace = word.includes('/') ? word.slice(0, word.lastIndexOf('/')) : null;
  const isValid = /^[a-z0-9-]{1,32}$/.test(name);
  const { endpoints } = isValid
    ? await clientOf(context).call('listOwnEndpoints', { query: { name } })
    : { endpoints: [] };
  const found = endpoints.find((each) => namespace === null || each.namespace === namespace);
  if (!found) throw new NoSuchEndpoint(word);
  return found;
}

/** Prints the result as JSON where that is asked for, else the text. */
export function say({ given }: CommandContext, value: unknown, text: string): void {
  if (given.switches.has('json')) printJson(value);
  else print(text);
}
