const KEY = 'robot-desktop.last-page';
/** The daemon redirects to this hash after a sign-in. */
const SIGNED_IN = '#/signed-in';
/** A page that was left longer ago is not the one to return to. */
const RECENT_MS = 60 * 60_000;
const MAX_LENGTH = 4_000;

/** The part of `window` in use. */
type Page = Pick<Window, 'location' | 'history' | 'addEventListener' | 'localStorage'> & {
  readonly document: Pick<Document, 'addEventListener'>;
};

/**
 * After a sign-in, shows the page that this browser showed last, with its search: the sign-in address was opened from a
 * terminal, in another tab or in the same. Then remembers the page that this tab shows.
 */
export function returnAfterSignIn(page: Page = window, now: () => number = Date.now): void {
  if (page.location.hash === SIGNED_IN) page.history.replaceState(null, '', lastPage(page, now) ?? '#/');
  const remember = () => keep(page, now);
  remember();
  for (const event of ['hashchange', 'blur', 'pagehide']) page.addEventListener(event, remember);
  page.document.addEventListener('visibilitychange', remember);
}

function keep({ location, localStorage }: Page, now: () => number): void {
  const { hash } = location;
  // An address with this mark says that a sign-in failed; the page before it is the one to return to.
  if (hash.includes('sign-in=') || hash.length > MAX_LENGTH) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ hash: hash || '#/', leftAt: now() }));
  } catch {
    // The browser keeps nothing: a sign-in leads to Home.
  }
}

function lastPage({ localStorage }: Page, now: () => number): string | null {
  try {
    const { hash, leftAt } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { hash?: unknown; leftAt?: unknown };
    const isRecent = typeof leftAt === 'number' && Math.abs(now() - leftAt) < RECENT_MS;
    return isRecent && typeof hash === 'string' && hash.startsWith('#/') && hash !== SIGNED_IN ? hash : null;
  } catch {
    return null;
  }
}
