import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Makes a folder for the report of a suite. It is removed with its disposal, and by a signal that ends this process before. */
export function reportFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'robot-desktop-report-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal); // without this listener it ends the process, as it would have
  };
  for (const signal of signals) process.once(signal, onSignal);
  return {
    path,
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, onSignal);
      remove();
    },
  };
}
