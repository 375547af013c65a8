/** An entry of the browser's history, which the page names so that it knows it again after Back, Forward or a reload. */
export interface HistoryEntry {
  readonly key: string;
  /** The address from which the user came; null for the first entry. */
  readonly from: string | null;
}

/** The current entry; null while it has no name. */
export function currentEntry(): HistoryEntry | null {
  const state = window.history.state as Partial<HistoryEntry> | null;
  return typeof state?.key === 'string' ? { key: state.key, from: state.from ?? null } : null;
}

/** Names the current entry, which is new. */
export function nameEntry(from: string | null): HistoryEntry {
  const entry = { key: crypto.randomUUID(), from };
  window.history.replaceState(entry, '');
  return entry;
}
