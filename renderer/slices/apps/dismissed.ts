/** Read and put away by this browser's user: the daemon keeps the things themselves. */
const KEY = 'robot-desktop.dismissed';
const MAX_DISMISSED = 50;

export function loadDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return []; // no storage, or not ours: then nothing is put away
  }
}

export function saveDismissed(ids: readonly string[]): readonly string[] {
  const kept = ids.slice(-MAX_DISMISSED);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Forgotten at the next load, which does no harm.
  }
  return kept;
}
