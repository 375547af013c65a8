import type { DataPaths } from '../shared/files/data-paths.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/processes/child-environment.ts';
import { listeningClients } from '../shared/processes/port-holder.ts';
import { processesWithEnvironment } from '../shared/processes/processes.ts';
import { byHand, type Finding, note } from './check.ts';

/**
 * Finds programs of this machine that are connected to the daemon and listen for other machines: perhaps proxies. An app
 * that the daemon started does so with its settings page, and passes nothing on.
 * @param daemon its process, and its address; null: it does not listen yet
 * @param options.asksThisMachine whether programs of this machine need a token, so that a proxy has no rights without
 */
export async function checkProxy(
  { pid, url }: { readonly pid: number; readonly url: string | null },
  { paths, asksThisMachine }: { readonly paths: DataPaths; readonly asksThisMachine: boolean },
): Promise<Finding[]> {
  if (url === null || asksThisMachine) return [];
  const children = await processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(paths.root));
  const found = await listeningClients(Number(new URL(url).port || 80), new Set([pid, process.pid, ...children]));
  const fix = byHand(
    'If it is a proxy or a tunnel, start the daemon with --require-token, or let it connect from an address of its own, such as 127.0.0.2, and name that with --behind-proxy.',
  );
  return found.map(({ name, pid: program }) => {
    const what = `${name} is connected to the daemon and listens for other machines: if it passes requests on without a header that says so, whoever reaches it counts as this machine, and may install an app.`;
    return note('proxy-without-token', what, `process ${program}`, fix);
  });
}
