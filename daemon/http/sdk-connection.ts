import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { SdkReply } from '../contract/robot/sdk.ts';
import { type AdmitProgram, SdkSession, type SdkSessionDeps } from '../robot/sdk-session.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { RequestSources } from './security/request-sources.ts';

/** A program with more unread bytes receives no state messages. */
const CONGESTED_BYTES = 32 * 1024;
/** A program with more unread bytes is disconnected: replies cannot be skipped. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** The time between pings. */
export const PING_MS = 500;
/** After this many missed pings, at most 2 s, a program counts as silent and loses control of the robot. */
const SILENT_AFTER_PINGS = 3;
/** After this many missed pings, 20 s, it is disconnected: a program that loads large libraries is silent for seconds. */
const GONE_AFTER_PINGS = 40;
/** A program says hello at once; a socket without an accepted hello is disconnected after this time. */
const HELLO_MS = 5_000;

export interface SdkConnectionDeps extends Pick<SdkSessionDeps, 'robot' | 'volume' | 'daemonVersion'> {
  readonly admit: AdmitProgram;
  readonly sources: Pick<RequestSources, 'isFromHere'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The socket of one program, and whether it still answers. */
export class SdkConnection {
  readonly #program: WebSocket;
  readonly #session: SdkSession;
  #isAdmitted = false;
  #missedPings = 0;

  constructor(program: WebSocket, request: IncomingMessage, deps: SdkConnectionDeps) {
    this.#program = program;
    this.#session = this.#startSession(!deps.sources.isFromHere(request), deps);
    const cancel = deps.clock.after(HELLO_MS, () => {
      if (!this.#isAdmitted) this.end('No hello came in time.');
    });
    program.on('pong', () => this.#answered());
    program.on('message', (data, isBinary) => {
      this.#answered(); // a program that was busy may send before it answers the pings
      this.#session.receive(isBinary ? '' : (data as Buffer).toString('utf8')).catch((error: unknown) => {
        deps.log.error('sdk: a message broke the session', error);
        program.terminate();
      });
    });
    program.on('error', (error) => deps.log.debug(`sdk: ${error.message}`));
    program.on('close', () => {
      cancel();
      this.#session.closed();
    });
  }

  /** Whether its hello was accepted. */
  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** Asks for a sign of life; ends the connection after 40 that did not come. */
  ping(): void {
    if (this.#missedPings >= GONE_AFTER_PINGS) this.#program.terminate();
    if (this.#missedPings === SILENT_AFTER_PINGS) this.#session.silent(true);
    this.#missedPings += 1;
    this.#program.ping();
  }

  /** Ends the connection without waiting for the other side. */
  end(reason: string): void {
    this.#program.close(1008, reason);
    this.#program.terminate();
  }

  #answered(): void {
    if (this.#missedPings > SILENT_AFTER_PINGS) this.#session.silent(false);
    this.#missedPings = 0;
  }

  #startSession(remote: boolean, { robot, volume, admit, daemonVersion }: SdkConnectionDeps): SdkSession {
    const program = this.#program;
    return new SdkSession({
      robot,
      volume,
      admit: (identity) => {
        const pass = admit({ ...identity, remote });
        this.#isAdmitted = true;
        return pass;
      },
      daemonVersion,
      send: (message: SdkReply) => {
        if (program.readyState !== program.OPEN) return;
        if (program.bufferedAmount > MAX_UNREAD_BYTES) return program.terminate();
        program.send(JSON.stringify(message));
      },
      congested: () => program.bufferedAmount > CONGESTED_BYTES,
      close: () => program.close(),
    });
  }
}
