import { rm } from 'node:fs/promises';
import type { DaemonStatus } from '../contract/daemon.ts';
import { readPastRecords } from '../shared/files/stored-file.ts';
import type { Logger } from '../shared/logger.ts';
import { UnexpectedEnd } from './unexpected-end.ts';
import { describeEnd } from './unexpected-end-text.ts';

/** Tells people once that the last daemon ended without folding the robot, and what its guardian did. */
export class LastEnd {
  readonly #file: string;
  readonly #log: Logger;
  #end: DaemonStatus['unexpectedEnd'];

  /** @param file the record of the guardian */
  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** For the status; undefined: the last daemon ended in order. */
  get unexpected(): DaemonStatus['unexpectedEnd'] {
    return this.#end;
  }

  /** Reads the record. */
  async load(): Promise<void> {
    const end = await readPastRecords(this.#file, UnexpectedEnd, this.#log);
    this.#end = end ? describeEnd(end) : undefined;
  }

  /** Logs it, and removes the record: this daemon listens, so that its pages tell it. */
  async tell(): Promise<void> {
    if (!this.#end) return;
    const { what, done, action } = this.#end;
    this.#log.warn(`${what} ${done} ${action}`);
    await rm(this.#file, { force: true });
  }
}
