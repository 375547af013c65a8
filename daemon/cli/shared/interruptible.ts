import { exitCodes } from './exit-codes.ts';
import { Interrupted } from './interrupted.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that an interrupt ends in an orderly way; a second Ctrl-C ends the process at once.
 * @param work gets a signal that SIGINT, SIGTERM and SIGHUP (a closed terminal) abort with Interrupted
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (interrupt.signal.aborted && signal === 'SIGINT') process.exit(exitCodes.interrupted);
    interrupt.abort(new Interrupted());
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(interrupt.signal);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
