import { DomainError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { holderOf } from './holder.ts';
import { NoDaemon } from './no-daemon.ts';

class DaemonSilent extends DomainError {
  constructor() {
    super(
      'The daemon does not answer: it is starting, or the machine is busy. Wait a minute, and try again. Only if it stays so, run "robot-daemon restart", which ends what runs on it.',
    );
  }
}

/** For the answer of a daemon on a busy machine, before a command gives up that needs it. */
const ANSWER_MS = 5_000;

/** Where a daemon answers, and to whom. */
export interface DaemonPlace {
  readonly url: string;
  /** For its requests; undefined: it needs none from this machine. */
  readonly token?: string | undefined;
}

/**
 * The place of the daemon on a data folder.
 * @param answerMs the time for its answer
 * @returns null when no daemon runs
 * @throws DaemonSilent when it does not answer
 */
export async function daemonPlace(paths: DataPaths, answerMs = ANSWER_MS): Promise<DaemonPlace | null> {
  const holder = await holderOf(paths, answerMs);
  if (!holder) return null;
  if (!holder.status || holder.instance.url === null) throw new DaemonSilent();
  return { url: holder.instance.url, token: holder.token };
}

/**
 * The same for a command that needs a daemon.
 * @param advice why to start one, a sentence
 * @throws NoDaemon, DaemonSilent
 */
export async function neededDaemon(paths: DataPaths, advice: string): Promise<DaemonPlace> {
  const place = await daemonPlace(paths);
  if (place === null) throw new NoDaemon(paths.root, advice);
  return place;
}
