import type { DaemonStatus } from '../../contract/daemon.ts';
import { daemonAt } from './daemon-at.ts';

const ANSWER_WITHIN_MS = 1_500;

/** Asks the program at an address for its status. @returns null if it is not a robot daemon, or does not answer */
export function askDaemon(url: string): Promise<DaemonStatus | null> {
  return daemonAt(url, { deadlineMs: ANSWER_WITHIN_MS })
    .call('getDaemonStatus')
    .catch(() => null);
}
