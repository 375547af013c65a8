/** An entry of the browser's history, which the page names so that it knows it again after Back, Forward or a reload. */
export interface HistoryEntry {
  readonly key: string;
  /** The address from which the user came to this page, whose tabs are entries too; null for the first page. */
  readonly from: string | null;
  /** How many entries back that address is. */
  readonly steps: number;
}

/** The current entry; null while it has no name. */
export function currentEntry(): HistoryEntry | null {
  const state = window.history.state as Partial<HistoryEntry> | null;
  return typeof state?.key === 'string' ? { key: state.key, from: state.from ?? null, steps: state.steps ?? 1 } : null;
}

/** Names the current entry, which is new. */
export function nameEntry(from: string | null, steps = 1): HistoryEntry {
  const entry = { key: crypto.randomUUID(), from, steps };
  window.history.replaceState(entry, '');
  return entry;
}
