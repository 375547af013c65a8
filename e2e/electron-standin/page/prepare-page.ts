import type { DevTools, DevToolsSession } from '../chromium/devtools.ts';

/**
 * Sets up what watches a paused page, then lets it run. A frame of another site has its own process and session,
 * and is treated in the same way.
 * @param watch must send all its commands at once: a paused page answers some of them only after it runs
 */
export async function preparePage(
  devTools: DevTools,
  session: DevToolsSession,
  watch: (session: DevToolsSession) => Promise<unknown>,
): Promise<void> {
  session.on('Target.attachedToTarget', ({ sessionId }) => {
    preparePage(devTools, devTools.session(sessionId), watch).catch(() => {}); // the frame is gone already
  });
  const filter = [{ type: 'iframe' }];
  await Promise.all([
    session.send('Page.enable'),
    session.send('Runtime.enable'),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter }),
    watch(session),
    session.send('Runtime.runIfWaitingForDebugger'),
  ]);
}
