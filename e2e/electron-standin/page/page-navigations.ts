import type { DevToolsSession } from '../chromium/devtools.ts';
import { runInPage } from './page-script.ts';

/** A navigation that makes no request over the network. */
export interface PageNavigation {
  readonly url: string;
  readonly isMainFrame: boolean;
}

/**
 * Prevents navigations to `blob:` addresses and to other programs, such as by `mailto:`, and reports them instead: Chromium's
 * protocol shows no request for them. Some are not seen: the first document of a frame, and what another page navigates.
 */
export function preventNavigations(
  session: DevToolsSession,
  onWanted: (navigation: PageNavigation) => void,
): Promise<void> {
  const script = { binding: 'electronStandInNavigates', world: 'electron-stand-in', run: catchNavigations };
  return runInPage(session, script, (text) => onWanted(JSON.parse(text) as PageNavigation));
}

function catchNavigations(report: (text: string) => void): void {
  // A request shows these, or Chromium itself decides about them.
  const seenElsewhere = ['http:', 'https:', 'about:', 'data:', 'javascript:', 'file:', 'filesystem:', 'chrome:'];
  navigation.addEventListener('navigate', (event) => {
    const { url } = event.destination;
    if (event.downloadRequest !== null || seenElsewhere.includes(new URL(url).protocol)) return;
    event.preventDefault();
    report(JSON.stringify({ url, isMainFrame: window.top === window }));
  });
}
