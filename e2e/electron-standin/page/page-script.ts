import type { DevToolsSession } from '../chromium/devtools.ts';

interface PageScript {
  /** The global function by which the script reports. */
  readonly binding: string;
  /** An isolated world to run in, for a script that changes nothing in the page. */
  readonly world?: string;
  /** Its source is sent to the page: it uses nothing from outside. */
  readonly run: (report: (text: string) => void) => void;
}

/** Runs a script in every document of a page before the page's own scripts, and receives its reports. */
export async function runInPage(
  session: DevToolsSession,
  { binding, world, run }: PageScript,
  onReport: (text: string) => void,
): Promise<void> {
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === binding) onReport(payload);
  });
  const take = `const report = globalThis.${binding}; delete globalThis.${binding};`;
  const source = `{ ${take} if (report) (${String(run)})(report); }`;
  await Promise.all([
    session.send('Runtime.addBinding', { name: binding, ...(world && { executionContextName: world }) }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source, ...(world && { worldName: world }) }),
  ]);
}
