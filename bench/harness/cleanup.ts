const pending = new Set<() => Promise<void>>();

/** Registers a cleanup, which runs once: at the end of an `await using` block or by `cleanUpAll`. */
export function registerCleanup(run: () => Promise<void>): AsyncDisposable {
  let done: Promise<void> | null = null;
  const once = () => {
    pending.delete(once);
    done ??= run();
    return done;
  };
  pending.add(once);
  return { [Symbol.asyncDispose]: once };
}

/** Runs the cleanups that are still pending, after an interrupt or for a figure that hangs. */
export async function cleanUpAll(): Promise<void> {
  await Promise.allSettled([...pending].map((run) => run()));
}
