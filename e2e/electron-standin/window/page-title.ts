/** Tells of a page's title, which Chromium's protocol does not: a script in a world of its own watches it. */
import type { DevToolsSession } from '../browser/devtools-pipe.ts';

const BINDING = '__electronStandInTitle';
const WORLD = 'electron-stand-in';

/** Its source is sent to the page, so it uses nothing from outside. */
function watchTitle(bindingName: string): void {
  const tell = (globalThis as unknown as Record<string, (message: string) => void>)[bindingName];
  if (window.top !== window || !tell) return;
  let told = '';
  const look = () => {
    if (document.title === told || document.title === '') return;
    told = document.title;
    tell(told);
  };
  document.addEventListener('DOMContentLoaded', () => {
    look();
    new MutationObserver(look).observe(document.head, { childList: true, subtree: true, characterData: true });
  });
}

export async function followTitle(session: DevToolsSession, onTitle: (title: string) => void): Promise<void> {
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === BINDING) onTitle(payload);
  });
  const source = `(${String(watchTitle)})('${BINDING}')`;
  await Promise.all([
    session.send('Runtime.enable'),
    session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD }),
  ]);
}
