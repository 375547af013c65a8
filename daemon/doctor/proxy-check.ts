import { CHILD_MARK_VARIABLE, childMark } from '../shared/processes/child-environment.ts';
import { listeningClients } from '../shared/processes/port-holder.ts';
import { processesWithEnvironment } from '../shared/processes/processes.ts';
import type { Finding } from './finding.ts';

/** The daemon that may have a proxy in front. */
export interface ProxiedDaemon {
  readonly pid: number;
  /** null: it does not listen yet. */
  readonly url: string | null;
  readonly dataDir: string;
  /** Whether programs of this machine need a token, so that a proxy has no rights without. */
  readonly asksThisMachine: boolean;
}

/**
 * Finds programs of this machine that are connected to the daemon and listen for other machines: perhaps proxies. An app
 * that the daemon started does so with its settings page, and passes nothing on.
 */
export async function checkProxy({ pid, url, dataDir, asksThisMachine }: ProxiedDaemon): Promise<Finding[]> {
  if (url === null || asksThisMachine) return [];
  const children = await processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir));
  const found = await listeningClients(Number(new URL(url).port || 80), new Set([pid, process.pid, ...children]));
  return found.map((program) => ({
    code: 'proxy-without-token',
    severity: 'note',
    what: `${program.name} is connected to the daemon and listens for other machines: if it passes requests on without a header that says so, whoever reaches it counts as this machine, and may install an app.`,
    where: `process ${program.pid}`,
    fix: {
      kind: 'by-hand',
      how: 'If it is a proxy or a tunnel, start the daemon with --require-token, or let it connect from an address of its own, such as 127.0.0.2, and name that with --behind-proxy.',
    },
  }));
}
