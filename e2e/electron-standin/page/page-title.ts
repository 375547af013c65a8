import type { DevToolsSession } from '../chromium/devtools.ts';
import { runInPage } from './page-script.ts';

/** Reports each title of the page. Chromium's protocol has no event for it. */
export function followTitle(session: DevToolsSession, onTitle: (title: string) => void): Promise<void> {
  return runInPage(session, { binding: 'electronStandInTitle', world: 'electron-stand-in', run: watchTitle }, onTitle);
}

function watchTitle(report: (title: string) => void): void {
  if (window.top !== window) return;
  let reported = '';
  const look = () => {
    if (document.title === reported || document.title === '') return;
    reported = document.title;
    report(reported);
  };
  document.addEventListener('DOMContentLoaded', () => {
    look();
    new MutationObserver(look).observe(document.head, { childList: true, subtree: true, characterData: true });
  });
}
