/** Keys of messages dismissed in this browser. The daemon keeps the failures themselves. */
const KEY = 'robot-desktop.dismissed';
const MAX_DISMISSED = 50;

export function loadDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return []; // no storage, or damaged: nothing counts as dismissed
  }
}

export function saveDismissed(ids: readonly string[]): readonly string[] {
  const newest = ids.slice(-MAX_DISMISSED);
  try {
    localStorage.setItem(KEY, JSON.stringify(newest));
  } catch {
    // Without storage, dismissals last until the page reloads.
  }
  return newest;
}
