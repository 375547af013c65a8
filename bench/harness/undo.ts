const toUndo = new Set<() => Promise<void>>();

/** Undoes actions once, at the end of an `await using` block or by `undoAll`. */
export function undoable(undo: () => Promise<void>): AsyncDisposable {
  let undone: Promise<void> | null = null;
  const once = () => {
    toUndo.delete(once);
    undone ??= undo();
    return undone;
  };
  toUndo.add(once);
  return { [Symbol.asyncDispose]: once };
}

/** For a run that is interrupted, and for a figure that hangs: undoes what is still there. */
export async function undoAll(): Promise<void> {
  await Promise.allSettled([...toUndo].map((undo) => undo()));
}
