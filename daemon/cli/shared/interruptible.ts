import { exitCodes, Interrupted } from './errors.ts';

/** Calls the listener at each signal to end, until it is disposed of. */
export function onEndSignals(listener: (signal: NodeJS.Signals) => void): Disposable {
  const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of endSignals) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of endSignals) process.off(signal, listener);
    },
  };
}

/**
 * Runs work that an interrupt ends in an orderly way, and whose failure is the interrupt then; a second Ctrl-C ends the
 * process at once.
 * @param work gets a signal that SIGINT, SIGTERM and SIGHUP (a closed terminal) abort with Interrupted
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  using _signals = onEndSignals((signal) => {
    if (interrupt.signal.aborted && signal === 'SIGINT') process.exit(exitCodes.interrupted);
    interrupt.abort(new Interrupted());
  });
  try {
    return await work(interrupt.signal);
  } catch (error) {
    interrupt.signal.throwIfAborted();
    throw error;
  }
}

/**
 * Ends the command without a word once nobody reads its output any more, such as after `| head`. Its work is interrupted like
 * by a closed terminal, so that it revokes its token; the exit code is 0, since the reader got all that it wanted.
 */
export function endWithReader(): void {
  let isClosed = false;
  const onError = (error: Error): void => {
    if (isClosed) return;
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    isClosed = true;
    process.on('exit', () => {
      process.exitCode = 0;
    });
    if (process.listenerCount('SIGHUP') > 0) process.emit('SIGHUP', 'SIGHUP');
    else process.exit();
  };
  process.stdout.on('error', onError);
  process.stderr.on('error', onError);
}
