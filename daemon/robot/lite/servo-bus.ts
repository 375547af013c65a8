import { Mutex } from '../../shared/async/mutex.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import {
  BROADCAST_ID,
  encodePacket,
  INSTRUCTION,
  type Packet,
  PacketReader,
  type Status,
  type StatusError,
  statusOf,
} from './dynamixel.ts';
import { LateReplies } from './late-replies.ts';
import { FIRST_VOLATILE_ADDRESS, numberBytes, type Register, readNumber, registers } from './registers.ts';
import type { SerialLine } from './serial-line.ts';

/** Neighbouring bytes of a servo's memory. */
export interface Span {
  readonly address: number;
  readonly length: number;
}

/** From one register to another, or one alone. */
export function span(first: Register, last: Register = first): Span {
  return { address: first.address, length: last.address + last.bytes - first.address };
}

/** The line is closed; the message is the reason. */
export class BusClosed extends Error {}

/** Servos that did not answer in any try. */
export class ServosSilent extends Error {
  readonly ids: readonly number[];

  constructor(...ids: readonly number[]) {
    super(`no answer from servo ${ids.join(', ')}`);
    this.ids = ids;
  }
}

export class ServoRefused extends Error {
  readonly id: number;

  constructor(id: number, why: StatusError | 'not-taken') {
    super(`servo ${id} refuses: ${why}`);
    this.id = id;
  }
}

/** Bytes of an answer besides its data: header, id, length, instruction, error and CRC. */
const STATUS_BYTES = 11;
const BITS_A_BYTE = 10;
/** Additional time for writing the EEPROM. */
const EEPROM_MS = 100;
/** Enough for a line on which one answer in four is lost. */
const TRIES = 5;
const REBOOT_POLL_MS = 20;

interface Waiting {
  readonly ids: Set<number>;
  readonly length: number;
  readonly answers: Map<number, Status>;
  readonly over: () => void;
}

interface ServoBusOptions {
  readonly baudRate: number;
  /** Time limit of an answer, besides its time on the wire. */
  readonly answerMs: number;
  readonly clock: Clock;
}

/**
 * Servos on a serial line, with one request at a time. Every request has a time limit, and a late answer is not taken
 * for that of a later request. Every method throws BusClosed once the line is closed.
 */
export class ServoBus {
  readonly #line: SerialLine;
  readonly #answerMs: number;
  readonly #clock: Clock;
  readonly #byteMs: number;
  readonly #reader = new PacketReader();
  readonly #lateReplies = new LateReplies();
  readonly #turn = new Mutex();
  #waiting: Waiting | null = null;
  #closeReason: string | null = null;
  /** Requests without an answer are sent together with the next one, to save system calls. */
  #unsent: Uint8Array[] = [];

  constructor(line: SerialLine, { baudRate, answerMs, clock }: ServoBusOptions) {
    this.#line = line;
    this.#answerMs = answerMs;
    this.#clock = clock;
    this.#byteMs = (BITS_A_BYTE * 1000) / baudRate;
    line.onBytes((bytes) => this.#take(bytes));
    void line.closed.then((reason) => {
      this.#closeReason = reason;
      this.#waiting?.over();
    });
  }

  async ping(id: number): Promise<boolean> {
    return (await this.syncRead([id], span(registers.id))).size > 0;
  }

  /** Reads the same bytes of several servos. @returns the answers that came in time */
  syncRead(ids: readonly number[], what: Span): Promise<Map<number, Status>> {
    return this.#turn.run(() => this.#read(BROADCAST_ID, ids, what, 0));
  }

  /** Reads bytes of one servo. @returns null when it does not answer or refuses */
  async read(id: number, what: Span): Promise<Uint8Array | null> {
    const answer = (await this.#turn.run(() => this.#read(id, [id], what, 0))).get(id);
    return answer?.error === null ? answer.data : null;
  }

  /**
   * Reads the same bytes of several servos; repeats missed ones, each time with a longer limit. @throws ServosSilent
   */
  async readAll(ids: readonly number[], what: Span): Promise<Map<number, Uint8Array>> {
    const all = new Map<number, Uint8Array>();
    let missing = ids;
    for (let tried = 0; tried < TRIES && missing.length > 0; tried++) {
      const extraWaitMs = this.#answerMs * (2 ** tried - 1);
      const answers = await this.#turn.run(() => this.#read(BROADCAST_ID, missing, what, extraWaitMs));
      for (const [id, { error, data }] of answers) if (error === null) all.set(id, data);
      missing = ids.filter((id) => !all.has(id));
    }
    if (missing.length > 0) throw new ServosSilent(...missing);
    return all;
  }

  /**
   * Writes a register of one servo. An answer without data may be a late one: read the register back to be certain.
   * @throws ServosSilent, ServoRefused
   */
  async write(id: number, register: Register, value: number): Promise<void> {
    const parameters = Uint8Array.from([...uint16(register.address), ...numberBytes(value, register)]);
    const extraWaitMs = register.address < FIRST_VOLATILE_ADDRESS ? EEPROM_MS : 0;
    for (let tried = 0; tried < TRIES; tried++) {
      const packet = { id, instruction: INSTRUCTION.write, parameters };
      if (isDone((await this.#turn.run(() => this.#request(packet, [id], 0, extraWaitMs))).get(id))) return;
    }
    throw new ServosSilent(id);
  }

  /** Writes a register of several servos at once, without answers. */
  syncWrite(register: Register, values: ReadonlyMap<number, number>): Promise<void> {
    const each = [...values].flatMap(([id, value]) => [id, ...numberBytes(value, register)]);
    const parameters = Uint8Array.from([...uint16(register.address), ...uint16(register.bytes), ...each]);
    return this.#turn.run(async () => {
      this.#requireLine();
      this.#unsent.push(encodePacket({ id: BROADCAST_ID, instruction: INSTRUCTION.syncWrite, parameters }));
      setImmediate(() => this.#send());
    });
  }

  /**
   * Writes a register of several servos at once, reads it back and repeats it where it differs.
   * @param tolerance largest accepted difference
   * @throws ServosSilent, and ServoRefused when the value of a servo still differs
   */
  async writeAll(register: Register, values: ReadonlyMap<number, number>, tolerance = 0): Promise<void> {
    let open = [...values];
    for (let tried = 0; tried < TRIES && open.length > 0; tried++) {
      await this.syncWrite(register, new Map(open));
      const taken = await this.readAll([...values.keys()], span(register));
      open = [...values].filter(([id, value]) => {
        const bytes = taken.get(id);
        return !bytes || Math.abs(readNumber(bytes, register) - value) > tolerance;
      });
    }
    const [refused] = open;
    if (refused) throw new ServoRefused(refused[0], 'not-taken');
  }

  /** Reboots a servo, which clears past faults and leaves it limp. @throws ServosSilent when it is not back in time */
  async reboot(id: number, limitMs: number): Promise<void> {
    const untilMs = this.#clock.elapsedMs() + limitMs;
    const packet = { id, instruction: INSTRUCTION.reboot, parameters: new Uint8Array(0) };
    await this.#turn.run(() => this.#request(packet, [id], 0, 0));
    for (;;) {
      // Asked before the ping: on a busy machine the time may be over although the servo was not asked since.
      const isLast = this.#clock.elapsedMs() > untilMs;
      if (await this.ping(id)) return;
      if (isLast) throw new ServosSilent(id);
      await sleepOn(this.#clock, REBOOT_POLL_MS);
    }
  }

  /** @param id the servo, or BROADCAST_ID for a sync read */
  async #read(id: number, ids: readonly number[], what: Span, extraWaitMs: number): Promise<Map<number, Status>> {
    const extra = this.#lateReplies.extraBytes(ids, what.length, what.address, this.#clock.elapsedMs());
    const [address, length] = [what.address - extra, what.length + extra];
    const where = [...uint16(address), ...uint16(length)];
    const packet =
      id === BROADCAST_ID
        ? { id, instruction: INSTRUCTION.syncRead, parameters: Uint8Array.from([...where, ...ids]) }
        : { id, instruction: INSTRUCTION.read, parameters: Uint8Array.from(where) };
    const answers = await this.#request(packet, ids, length, extraWaitMs);
    return new Map([...answers].map(([each, status]) => [each, { ...status, data: status.data.subarray(extra) }]));
  }

  async #request(
    packet: Packet,
    ids: readonly number[],
    length: number,
    extraWaitMs: number,
  ): Promise<Map<number, Status>> {
    const answers = new Map<number, Status>();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#reader.reset();
    this.#requireLine();
    this.#unsent.push(encodePacket(packet));
    const sentBytes = this.#send();
    for (const id of ids) this.#lateReplies.add(id, length, this.#clock.elapsedMs());
    this.#waiting = { ids: new Set(ids), length, answers, over: resolve };
    const wireMs = (sentBytes + ids.length * (STATUS_BYTES + length)) * this.#byteMs;
    const clock = this.#clock;
    const cancel = clock.after(this.#answerMs + extraWaitMs + wireMs, () => afterWaitingInput(clock, resolve));
    await over;
    cancel();
    this.#waiting = null;
    this.#requireLine();
    return answers;
  }

  #requireLine(): void {
    if (this.#closeReason !== null) throw new BusClosed(this.#closeReason);
  }

  /** @returns the number of bytes sent */
  #send(): number {
    const bytes = Buffer.concat(this.#unsent.splice(0));
    if (bytes.length > 0) this.#line.write(bytes);
    return bytes.length;
  }

  #take(bytes: Uint8Array): void {
    for (const packet of this.#reader.push(bytes)) {
      const status = statusOf(packet);
      if (!status) continue;
      if (status.error === null) this.#lateReplies.settle(status.id, status.data.length);
      const awaited = this.#waiting?.ids.has(status.id) ?? false;
      if (!awaited || (status.error === null && status.data.length !== this.#waiting?.length)) continue;
      this.#waiting?.answers.set(status.id, status);
      this.#waiting?.ids.delete(status.id);
    }
    if (this.#waiting?.ids.size === 0) this.#waiting.over();
  }
}

const uint16 = (value: number): number[] => [value & 0xff, value >> 8];

/** Whether a servo accepted the request; false to retry one that was damaged. @throws ServoRefused */
function isDone(answer: Status | undefined): answer is Status {
  if (answer === undefined || answer.error === 'bad-crc') return false;
  if (answer.error !== null) throw new ServoRefused(answer.id, answer.error);
  return true;
}

/**
 * Calls back after pending input was read. On a busy machine a late timer fires before bytes that have already arrived;
 * two turns of the event loop, a millisecond apart, are enough to read them.
 */
function afterWaitingInput(clock: Clock, then: () => void): void {
  setImmediate(() => clock.after(1, () => setImmediate(then)));
}
