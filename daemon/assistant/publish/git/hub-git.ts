import { CommandFailed } from '../../../shared/processes/run-command.ts';
import type { Git } from './git-command.ts';

/** Git's requests to one Space. */
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
