import type { DaemonClient } from '../client/calls.ts';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { byteText } from '../contract/common/byte-text.ts';
import type { Finding, RepairResult } from './finding.ts';

const ANSWER_WITHIN_MS = 30_000;
const INSTALL_WITHIN_MS = 60 * 60_000;

/**
 * Repairs findings through the REST interface of a daemon: installs, which need one, and what a running one must do.
 * @param token for a daemon that requires one of every request
 */
export async function repairThroughDaemon(
  findings: readonly Finding[],
  url: string,
  token: string | undefined,
): Promise<RepairResult[]> {
  const daemon = daemonAt(url, { deadlineMs: ANSWER_WITHIN_MS, token });
  const results: RepairResult[] = [];
  for (const { code, where, fix } of findings) {
    try {
      const what =
        fix.kind === 'install-again'
          ? await installAgain(daemon, fix.url)
          : fix.kind === 'use-previous'
            ? await rollBack(daemon, fix.appName)
            : fix.kind === 'prune-cache'
              ? await pruneDownloads(daemon)
              : null;
      const done = what !== null;
      results.push({
        code,
        where,
        done,
        what: what ?? 'Not possible while the daemon runs. Run robot-daemon stop, then repeat.',
      });
    } catch (error) {
      results.push({ code, where, done: false, what: `Not repaired: ${(error as Error).message}` });
    }
  }
  return results;
}

async function installAgain(daemon: DaemonClient, address: string): Promise<string> {
  const { state, endedAt, failure } = await install(daemon, address, { pollMs: 200, withinMs: INSTALL_WITHIN_MS });
  if (endedAt === null) throw new Error('the install did not finish in time.');
  if (state === 'done') return `Installed again from ${address}.`;
  throw new Error(failure ? `${failure.message} ${failure.action}` : `the install was ${state}.`);
}

async function rollBack(daemon: DaemonClient, appName: string): Promise<string> {
  await daemon.call('rollBackApp', { params: { appName } });
  return `${appName} is back at its earlier version.`;
}

async function pruneDownloads(daemon: DaemonClient): Promise<string> {
  const { freedBytes } = await daemon.call('pruneDownloadCache');
  return `${byteText(freedBytes)} freed.`;
}
