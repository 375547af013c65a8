import type { DaemonClient } from '../../../client/calls.ts';
import { exitCodes } from '../../shared/exit-codes.ts';
import type { RunPrinter } from './run-printer.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C is Stop, a second one kills the app, a third one leaves it to the daemon.
 * @param onFailed called when the daemon cannot stop it
 */
export class RunStop implements Disposable {
  readonly #onSignal: () => void;
  #asked = 0;

  constructor(
    ownAppId: string,
    { client, printer, onFailed }: { client: DaemonClient; printer: RunPrinter; onFailed: (error: Error) => void },
  ) {
    this.#onSignal = () => {
      this.#asked += 1;
      if (this.#asked === 1) {
        printer.note('Stopping it… (again: kills it)');
        client.call('stopOwnApp', { params: { ownAppId } }).catch(onFailed);
      } else if (this.#asked === 2) {
        printer.note('Killing it…');
        client.call('stopCurrentApp', { query: { force: true } }).catch(() => {}); // it has ended
      } else process.exit(exitCodes.interrupted);
    };
    for (const signal of signals) process.on(signal, this.#onSignal);
  }

  [Symbol.dispose](): void {
    for (const signal of signals) process.off(signal, this.#onSignal);
  }
}
