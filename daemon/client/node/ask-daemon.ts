import type { DaemonStatus } from '../../contract/daemon.ts';
import { daemonAt } from './daemon-at.ts';

const ANSWER_WITHIN_MS = 1_500;

/**
 * Asks the program at an address for its status.
 * @param token for a daemon that requires one of every request
 * @param deadlineMs of the answer
 * @returns null if it is not a robot daemon, refuses, or does not answer
 */
export function askDaemon(url: string, token?: string, deadlineMs = ANSWER_WITHIN_MS): Promise<DaemonStatus | null> {
  return daemonAt(url, { deadlineMs, token })
    .call('getDaemonStatus')
    .catch(() => null);
}
