import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { systemNow } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { createLogger } from '../../shared/logger.ts';
import { NoDaemon } from './errors.ts';
import { holderOf, type RunningDaemon } from './holder.ts';
import { interruptible } from './interruptible.ts';

class DaemonSilent extends DomainError {
  constructor() {
    super(
      'The daemon does not answer: it is starting, or the machine is busy. Wait a minute, and try again. Only if it stays so, run "robot-daemon restart", which ends what runs on it.',
    );
  }
}

/** For the answer of a daemon on a busy machine, before a command gives up that needs it. */
const ANSWER_MS = 5_000;

/**
 * The place of the daemon on a data folder.
 * @param answerMs the time for its answer
 * @returns null when no daemon runs
 * @throws DaemonSilent when it does not answer
 */
export async function daemonPlace(paths: DataPaths, answerMs = ANSWER_MS): Promise<RunningDaemon | null> {
  const holder = await holderOf(paths, answerMs);
  if (!holder) return null;
  if (!holder.daemon) throw new DaemonSilent();
  return holder.daemon;
}

/**
 * The same for a command that needs a daemon.
 * @param advice why to start one, a sentence
 * @throws NoDaemon, DaemonSilent
 */
export async function neededDaemon(paths: DataPaths, advice: string): Promise<RunningDaemon> {
  const place = await daemonPlace(paths);
  if (place === null) throw new NoDaemon(paths.root, advice);
  return place;
}

/** The input of a command besides its arguments. */
export interface OnDaemon {
  readonly client: DaemonClient;
  /** Aborted with Interrupted by a signal. */
  readonly signal: AbortSignal;
}

/** Runs a command on the daemon of a data folder. @throws NoDaemon, DaemonSilent, Interrupted */
export async function onDaemon(paths: DataPaths, work: (context: OnDaemon) => Promise<void>): Promise<void> {
  const { url, token } = await neededDaemon(paths, 'Start it first: robot-daemon');
  await interruptible(async (signal) => {
    await work({ client: daemonAt(url, { token }), signal });
    signal.throwIfAborted();
  });
}

/** The input of a command that needs a token. */
export interface OnDaemonWithToken extends OnDaemon {
  readonly token: string;
}

/**
 * Lends a command a token that lives as long as its work, which a signal ends too: the owner of a data folder may create
 * tokens.
 * @param url of the daemon on the data folder
 * @param purpose the beginning of the token's name
 */
export async function withToken<T>(
  paths: DataPaths,
  url: string,
  purpose: string,
  work: (context: OnDaemonWithToken) => Promise<T>,
): Promise<T> {
  const tokens = new AccessTokens(paths.tokensFile, { log: createLogger('error'), now: systemNow });
  const name = `${purpose}-${randomUUID()}`;
  return interruptible(async (signal) => {
    const { text: token } = await tokens.create({
      name,
      scopes: ['deploy', 'daemon'],
      namespaces: null,
      ofTerminal: true,
    });
    try {
      return await work({ client: daemonAt(url, { token }), token, signal });
    } finally {
      await tokens.revoke(name);
    }
  });
}
