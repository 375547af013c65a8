import type { Transfer } from '../../contract/common/progress.ts';
import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { atStep, type StartStep, startProgress } from './start-progress.ts';

/** Reports a start step by step, and a download twice a second with its rate. */
export class StartReport implements Disposable {
  readonly #clock: Clock;
  readonly #onProgress: (progress: EndpointProgress) => void;
  #progress: EndpointProgress;
  #meter: { readonly step: StartStep; readonly bytes: TransferMeter } | null = null;

  constructor(clock: Clock, steps: readonly StartStep[], onProgress: (progress: EndpointProgress) => void) {
    this.#clock = clock;
    this.#onProgress = onProgress;
    this.#progress = startProgress(steps);
    onProgress(this.#progress);
  }

  /** A step is under way. @param detail how far it is, where no bytes are known */
  at(step: StartStep, detail: string | null = null): void {
    this.#endDownload();
    this.#show(atStep(this.#progress, step, null, detail));
  }

  /** A step downloads, and has so many bytes of all. */
  downloaded(step: StartStep, doneBytes: number, totalBytes: number | null): void {
    if (this.#meter?.step !== step) {
      this.#endDownload();
      const show = (transfer: Transfer | null) => this.#show(atStep(this.#progress, step, transfer));
      const bytes = new TransferMeter(this.#clock, totalBytes, show);
      this.#meter = { step, bytes };
    }
    this.#meter.bytes.set(doneBytes, totalBytes);
  }

  [Symbol.dispose](): void {
    this.#endDownload();
  }

  #endDownload(): void {
    this.#meter?.bytes.close();
    this.#meter = null;
  }

  #show(progress: EndpointProgress): void {
    this.#progress = progress;
    this.#onProgress(progress);
  }
}
