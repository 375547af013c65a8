/**
 * Runs in every document of a page that has a window open handler. It catches what would open a window before Chromium
 * opens it: a window that is closed at once has been seen by the page, by Playwright and by the person.
 */

export interface WantedWindow {
  readonly url: string;
  readonly frameName: string;
  readonly features: string;
  readonly disposition: 'foreground-tab' | 'background-tab' | 'new-window';
  readonly referrer: string;
}

/** Its source is sent to the page, so it uses nothing from outside. */
export function askBeforeOpeningWindows(bindingName: string): void {
  const tell = (globalThis as unknown as Record<string, (message: string) => void>)[bindingName];
  if (!tell) return;
  Reflect.deleteProperty(globalThis, bindingName);

  const want = (url: string, wanted: Omit<WantedWindow, 'url' | 'referrer'>) =>
    tell(JSON.stringify({ url, ...wanted, referrer: location.href } satisfies WantedWindow));

  const opensWindow = (target: string): boolean => {
    const name = target.toLowerCase();
    if (name === '' || name === '_blank') return true;
    if (['_self', '_top', '_parent', '_unfencedtop'].includes(name) || target === window.name) return false;
    return document.querySelector(`iframe[name="${CSS.escape(target)}"]`) === null;
  };
  const frameNameOf = (target: string) => (target.toLowerCase() === '_blank' ? '' : target);

  const nativeOpen = window.open.bind(window);
  window.open = (url = '', target = '', features = '') => {
    if (!opensWindow(target)) return nativeOpen(url, target, features);
    const address = String(url) === '' ? 'about:blank' : new URL(url, document.baseURI).href;
    const disposition = features === '' ? 'foreground-tab' : 'new-window';
    want(address, { frameName: frameNameOf(target), features, disposition });
    return null; // what a page gets when it is denied
  };

  const followLink = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button > 1) return;
    const isLink = (node: EventTarget) => node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement;
    const link = event.composedPath().find(isLink);
    if (!link?.href || link.hasAttribute('download') || link.protocol === 'javascript:') return;
    const target = link.target || (document.querySelector<HTMLBaseElement>('base[target]')?.target ?? '');
    const inBackground = event.button === 1 || event.ctrlKey || event.metaKey;
    if (!inBackground && !event.shiftKey && (target === '' || !opensWindow(target))) return;
    event.preventDefault();
    const disposition = inBackground ? 'background-tab' : event.shiftKey ? 'new-window' : 'foreground-tab';
    want(link.href, { frameName: frameNameOf(target), features: '', disposition });
  };
  // The last to hear of a click: the page may have prevented it.
  window.addEventListener('click', followLink);
  window.addEventListener('auxclick', followLink);
}
