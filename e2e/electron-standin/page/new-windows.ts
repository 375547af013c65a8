import type { DevToolsSession } from '../chromium/devtools.ts';
import { runInPage } from './page-script.ts';

/**
 * Prevents `window.open` and links from opening windows, and reports their addresses instead. It must act before Chromium
 * opens a window: the page, Playwright and the user would see a window that is closed at once.
 */
export function preventNewWindows(session: DevToolsSession, onWanted: (url: string) => void): Promise<void> {
  return runInPage(session, { binding: 'electronStandInOpens', run: catchNewWindows }, onWanted);
}

function catchNewWindows(report: (url: string) => void): void {
  const opensWindow = (target: string): boolean =>
    !['_self', '_top', '_parent'].includes(target.toLowerCase()) &&
    target !== window.name &&
    document.getElementsByName(target).length === 0; // the name of a frame

  const nativeOpen = window.open.bind(window);
  window.open = (url = '', target = '', features = '') => {
    if (!opensWindow(target || '_blank')) return nativeOpen(url, target, features);
    report(url === '' ? 'about:blank' : new URL(url, document.baseURI).href);
    return null; // the answer to a page that may not open a window
  };

  const followLink = (event: MouseEvent) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link?.href || event.defaultPrevented || event.button > 1) return;
    const asksForWindow = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!asksForWindow && (link.target === '' || !opensWindow(link.target))) return;
    event.preventDefault();
    report(link.href);
  };
  // The last listeners of a click: the page may have prevented it.
  window.addEventListener('click', followLink);
  window.addEventListener('auxclick', followLink);
}
