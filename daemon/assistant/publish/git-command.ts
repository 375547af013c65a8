import { createHash } from 'node:crypto';
import { devNull } from 'node:os';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';

/** Runs git in the app's folder. @returns its output, both streams combined @throws CommandFailed, the signal's reason */
export type Git = (args: readonly string[], how?: GitOptions) => Promise<string[]>;

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly settings?: Settings;
  /** Settings with a secret, which must appear in no argument. Git before 2.31 does without them. */
  readonly secretSettings?: Settings;
}

/** Names and values; a later one adds to an earlier one of the same name, or replaces it. */
type Settings = readonly (readonly [name: string, value: string])[];

const LOCAL_MS = 2 * 60_000;
const MAX_LINES = 100_000;
/** Set for every git of a publication, with the folder as value, to find those that outlive it. */
export const PUBLICATION_VARIABLE = 'ROBOT_PUBLICATION';

/** Variables that git gives to its hooks, that trace requests, or that would change which repository is meant. */
const foreign = /^GIT_(?!SSL_|AUTHOR_|COMMITTER_|EXEC_PATH$|PROXY_|HTTP_)/;

/** The author's hooks and other programs of the repository are not run. */
const always: Settings = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['push.gpgSign', 'false'],
];

/** The value of the mark for a folder. */
export const publicationMark = (folder: string) => createHash('sha256').update(folder).digest('hex').slice(0, 24);

/** @param folder its real path */
export function gitIn(folder: string, environment: Readonly<Record<string, string>>, signal: AbortSignal): Git {
  const own = Object.entries(environment).filter(([name]) => !foreign.test(name));
  const base = {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    LANG: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_DEFAULT_HASH: 'sha1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    [PUBLICATION_VARIABLE]: publicationMark(folder),
  };
  return async (args, { env, deadlineMs = LOCAL_MS, settings = [], secretSettings = [] } = {}) => {
    const lines: string[] = [];
    await runCommand('git', [...asArguments([...always, ...settings]), ...args], {
      cwd: folder,
      env: base,
      moreEnv: { ...env, ...asVariables(secretSettings) },
      deadlineMs,
      signal,
      onLine: (line) => lines.length < MAX_LINES && lines.push(line),
    });
    if (lines.length === MAX_LINES) throw new CommandFailed('git', 'printed too many lines', null, false, [], 'amount');
    return lines;
  };
}

const asArguments = (all: Settings) => all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Settings by the environment, which other users cannot read, unlike arguments. */
function asVariables(all: Settings): Record<string, string> {
  const pairs = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(pairs) };
}

/** @returns null when git ends with exit code 1, by which some commands answer no, or that there is none */
async function outputOf(git: Git, args: readonly string[]): Promise<string[] | null> {
  try {
    return await git(args);
  } catch (error) {
    if (error instanceof CommandFailed && error.exitCode === 1) return null;
    throw error;
  }
}

/** Asks git a question that it answers by exit code 0 or 1. */
export async function answers(git: Git, args: readonly string[]): Promise<boolean> {
  return (await outputOf(git, args)) !== null;
}

/** Asks git for a line of this form. @returns null when there is none */
export async function lineOf(git: Git, args: readonly string[], pattern: RegExp): Promise<string | null> {
  return lineLike((await outputOf(git, args)) ?? [], pattern);
}

/** The first line of this form in the output; null: there is none. */
export function lineLike(lines: readonly string[], pattern: RegExp): string | null {
  return lines.find((line) => pattern.test(line)) ?? null;
}

export const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export interface SpaceAddress {
  /** `owner/name` */
  readonly id: string;
  readonly account: string;
  readonly token: string;
  /** The address of the Space's repository. */
  readonly url: string;
  /** The hub's address, to which alone the token is sent. */
  readonly hubUrl: string;
}

const NETWORK_MS = 15 * 60_000;

/** Fetches the Space's branch `main`, with its history, as a reference. @throws CommandFailed without the token */
export async function fetchMain(git: Git, space: SpaceAddress, reference: string): Promise<void> {
  const what = ['--no-tags', '--no-recurse-submodules', '--quiet', '--', space.url, `+refs/heads/main:${reference}`];
  await askHub(git, space, ['fetch', ...what]);
}

/** Pushes a commit to the Space's branch `main`, if it continues it. @throws CommandFailed without the token */
export async function pushMain(git: Git, space: SpaceAddress, commit: string): Promise<void> {
  const how = ['--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
  await askHub(git, space, ['push', ...how, '--', space.url, `${commit}:refs/heads/main`]);
}

async function askHub(git: Git, { account, token, hubUrl }: SpaceAddress, args: readonly string[]): Promise<void> {
  const basic = Buffer.from(`${account}:${token}`).toString('base64');
  const header = `http.${hubUrl}/.extraHeader`;
  const settings = [
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '100'],
    ['http.lowSpeedTime', '60'],
    ['protocol.allow', 'never'],
    [`protocol.${new URL(hubUrl).protocol.slice(0, -1)}.allow`, 'always'],
  ] as const;
  const secretSettings = [
    // An empty value drops those of the author's configuration.
    [header, ''],
    [header, `Authorization: Basic ${basic}`],
  ] as const;
  try {
    await git(args, { settings, secretSettings, deadlineMs: NETWORK_MS });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.lines.map((line) => line.replaceAll(token, '***').replaceAll(basic, '***'));
    throw new CommandFailed(error.command, withoutSecret(error, [token, basic]), error.exitCode, error.timedOut, lines);
  }
}

const withoutSecret = ({ command, message }: CommandFailed, secrets: readonly string[]) =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message.slice(command.length + 1));

/** The last line of git's output that says why. */
export const lastWords = ({ lines, message }: CommandFailed): string =>
  lines.findLast((line) => /^(?:fatal|error): /.test(line)) ?? message;
