import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { healthStatus } from '../runtime/replica-connection.ts';

const MINUTE_MS = 60_000;
/** A server that loads a large model from a slow disk, or compiles for a graphics card, writes something meanwhile. */
const LOADING = { silentMinutes: 10, longestMinutes: 60 };
/** 140 GB at 10 MB/s take four hours, a compilation for an accelerator takes one; both may be silent. */
const PREPARING = { silentMinutes: 360, longestMinutes: 360 };
/** A load that takes longer says what its health route answers, and again after `REPORT_MS`. */
const FIRST_REPORT_MS = 15_000;
const REPORT_MS = 10_000;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
/** How often a ready replica is asked whether it is healthy. */
const WATCH_MS = 2_000;
/** One that does not answer so soon is not ready; a ready one is silent, and gets no new requests until it answers. */
const ANSWER_MS = 2_000;
/** One that is silent for so long is replaced. */
const SILENT_MS = 20_000;

interface Loading {
  /** When it wrote its last line. */
  readonly lastLineMs: () => number;
  /** Called from time to time with what the health route of a container answers, in one sentence. */
  readonly onHealth: (text: string) => void;
}

/** Watches the health of one replica. */
export class ReplicaWatch {
  readonly #replica: Replica;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #ended = new AbortController();
  #isLoaded = false;
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
   * @throws EndpointFailed when it has written nothing for too long, or takes too long for all that it writes; the reason of
   * the signal
   */
  async loaded({ lastLineMs, onHealth }: Loading): Promise<boolean> {
    const replica = this.#replica;
    const { silentMinutes, longestMinutes } = replica.preparesModel ? PREPARING : LOADING;
    const startedMs = this.#nowMs;
    let nextReportMs = startedMs + FIRST_REPORT_MS;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(1.5 * pollMs, LONGEST_POLL_MS)) {
      if (await Promise.race([replica.isHealthy(ANSWER_MS), replica.ended.then(() => false)])) {
        this.#isLoaded = true;
        return true;
      }
      if (this.#ended.signal.aborted) return false;
      const nowMs = this.#nowMs;
      const silentMs = nowMs - Math.max(startedMs, lastLineMs());
      if (nowMs - startedMs > longestMinutes * MINUTE_MS)
        throw tooLong(replica, ` within ${hoursText(longestMinutes)}`);
      if (silentMs > silentMinutes * MINUTE_MS) {
        throw tooLong(replica, `, and nothing was written for ${silentMinutes} minutes`);
      }
      if (replica.container !== null && nowMs >= nextReportMs) {
        nextReportMs = nowMs + REPORT_MS;
        void this.#reportHealth(onHealth);
      }
      await this.#pause(pollMs);
    }
  }

  /**
   * Waits until a ready replica ends, or is silent for too long.
   * @param heard.onHealthy called at each good answer
   * @param heard.onSilent called when it no longer answers, and when it answers again
   * @returns why it has to be replaced; null: it has ended
   * @throws the reason of the signal
   */
  async ended(heard: {
    readonly onHealthy: () => void;
    readonly onSilent: (isSilent: boolean) => void;
  }): Promise<EndpointFailure | null> {
    let silentSinceMs: number | null = null;
    for (;;) {
      await this.#pause(WATCH_MS);
      if (this.#ended.signal.aborted) return null;
      const askedMs = this.#nowMs;
      const isHealthy = await this.#replica.isHealthy(ANSWER_MS);
      if (this.#ended.signal.aborted) return null;
      if (isHealthy) heard.onHealthy();
      if (isHealthy === (silentSinceMs !== null)) heard.onSilent(!isHealthy);
      silentSinceMs = isHealthy ? null : (silentSinceMs ?? askedMs);
      if (silentSinceMs !== null && this.#nowMs - silentSinceMs >= SILENT_MS) break;
    }
    return {
      reason: 'crashed',
      message: `For ${SILENT_MS / 1_000} s the server did not answer its health route in time (${ANSWER_MS / 1_000} s).`,
      action: 'See the log, then resume the endpoint.',
      evidence: this.#replica.log.slice(-12),
    };
  }

  /** Reports nothing once the replica has loaded its model or ended. Never rejects. */
  async #reportHealth(onHealth: Loading['onHealth']): Promise<void> {
    const { address, healthRoute, containerPort } = this.#replica;
    const status = await healthStatus(this.#clock, address, healthRoute, ANSWER_MS);
    if (!this.#isLoaded && !this.#either.aborted) onHealth(healthText(healthRoute, containerPort, status));
  }

  get #nowMs(): number {
    return this.#clock.elapsedMs();
  }

  /** Waits for a time, at most until the replica ends. @throws the reason of the signal */
  async #pause(ms: number): Promise<void> {
    await sleepOn(this.#clock, ms, this.#either).catch(() => this.#signal.throwIfAborted());
  }
}

/** @param howLong the rest of the sentence */
function tooLong({ container, containerPort, healthRoute, log }: Replica, howLong: string): EndpointFailed {
  const texts =
    container === null
      ? {
          message: `The model was not loaded${howLong}.`,
          action: 'Deploy a smaller model, or put the model files on a faster disk; then resume it.',
        }
      : {
          message: `The container did not answer 200 at its health route ${healthRoute}, port ${containerPort}${howLong}.`,
          action:
            'See the log. Correct the port or the health route, or deploy a smaller model; then resume the endpoint.',
        };
  return new EndpointFailed({ reason: 'timeout', ...texts, evidence: log.slice(-12) });
}

const hoursText = (minutes: number) => (minutes === 60 ? '1 hour' : `${minutes / 60} hours`);

function healthText(route: string, port: number | null, status: number | null): string {
  const asked = `Asked for ${route} at its port ${port}`;
  return status === null
    ? `${asked}, it does not answer within ${ANSWER_MS / 1_000} s.`
    : `${asked}, it answers ${status}.`;
}
