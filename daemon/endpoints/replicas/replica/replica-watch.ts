import type { EndpointFailure } from '../../../contract/endpoints/endpoint-report.ts';
import { type Clock, sleepOn } from '../../../shared/clock.ts';
import { EndpointFailed } from '../../failures/endpoint-failed.ts';
import type { Replica } from '../../runtime/endpoint-runtime.ts';

const MINUTE_MS = 60_000;
/** A large model is read from a slow disk within this time. */
const LOADING_MINUTES = 10;
/** 140 GB at 10 MB/s take four hours, a compilation for an accelerator takes one. */
const PREPARING_HOURS = 6;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
/** How often a ready replica is asked whether it is healthy. */
const WATCH_MS = 15_000;
/** It is replaced after this many failed answers in a row. */
const MAX_MISSED = 3;

/** Watches the health of one replica. */
export class ReplicaWatch {
  readonly #replica: Replica;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #ended = new AbortController();
  /** Aborted once the replica has ended or is to be stopped. */
  readonly #either: AbortSignal;

  /** Made once for a replica, not for each pause: what waits for its end is kept until then, which may be weeks. */
  constructor(replica: Replica, clock: Clock, signal: AbortSignal) {
    this.#replica = replica;
    this.#clock = clock;
    this.#signal = signal;
    this.#either = AbortSignal.any([signal, this.#ended.signal]);
    void replica.ended.then(() => this.#ended.abort());
  }

  /**
   * Waits until the replica has loaded its model.
   * @returns false when it ended
   * @throws EndpointFailed after ten minutes, or six hours if it prepares the model itself; the reason of the signal
   */
  async loaded(): Promise<boolean> {
    const replica = this.#replica;
    const startedMs = this.#clock.now().getTime();
    const longestMs = (replica.preparesModel ? PREPARING_HOURS * 60 : LOADING_MINUTES) * MINUTE_MS;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(1.5 * pollMs, LONGEST_POLL_MS)) {
      if (await Promise.race([replica.isHealthy(), replica.ended.then(() => false)])) return true;
      if (this.#ended.signal.aborted) return false;
      if (this.#clock.now().getTime() - startedMs > longestMs) {
        throw new EndpointFailed({ reason: 'timeout', ...timeoutText(replica), evidence: replica.log.slice(-12) });
      }
      await this.#pause(pollMs);
    }
  }

  /**
   * Waits until a ready replica ends, or fails its health too often.
   * @param onHealthy called at each good answer
   * @returns why it has to be replaced; null: it has ended
   * @throws the reason of the signal
   */
  async ended(onHealthy: () => void): Promise<EndpointFailure | null> {
    for (let missed = 0; missed < MAX_MISSED; ) {
      await this.#pause(WATCH_MS);
      if (this.#ended.signal.aborted) return null;
      missed = (await this.#replica.isHealthy()) ? 0 : missed + 1;
      if (missed === 0) onHealthy();
    }
    return {
      reason: 'crashed',
      message: `The server did not answer ${MAX_MISSED} times in a row.`,
      action: 'See the log, then resume the endpoint.',
      evidence: this.#replica.log.slice(-12),
    };
  }

  /** Waits for a time, at most until the replica ends. @throws the reason of the signal */
  async #pause(ms: number): Promise<void> {
    await sleepOn(this.#clock, ms, this.#either).catch(() => this.#signal.throwIfAborted());
  }
}

function timeoutText({ preparesModel, container, healthRoute }: Replica): Pick<EndpointFailure, 'message' | 'action'> {
  const time = preparesModel ? `${PREPARING_HOURS} hours` : `${LOADING_MINUTES} minutes`;
  if (container !== null) {
    return {
      message: `The container did not answer 200 at its health route ${healthRoute} within ${time}.`,
      action: 'See the log. Correct the health route, or deploy a smaller model; then resume the endpoint.',
    };
  }
  return {
    message: `The model was not loaded within ${time}.`,
    action: 'Deploy a smaller model, or put the model files on a faster disk; then resume it.',
  };
}
