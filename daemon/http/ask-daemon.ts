import { DaemonStatus } from '../contract/daemon.ts';
import { operations } from '../contract/operations.ts';

const ANSWER_WITHIN_MS = 1_500;

/** Asks whoever listens at an address whether it is a daemon of ours. @returns null when it is not, or does not answer */
export async function askDaemon(url: string): Promise<DaemonStatus | null> {
  try {
    const response = await fetch(url + operations.getDaemonStatus.path, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return DaemonStatus.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}
