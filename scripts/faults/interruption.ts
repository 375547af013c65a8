/**
 * Listens to the signals that end a program, for as long as it lives: without a listener, one would end it before the fault is
 * taken out of the tree.
 * @returns a signal that aborts with the first of them
 */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort());
  return interrupted.signal;
}
