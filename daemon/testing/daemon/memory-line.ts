import { encodePacket, type Packet, PacketReader, type Status, statusPacket } from '../../robot/lite/dynamixel.ts';
import type { SerialLine } from '../../robot/lite/serial-line.ts';

/** A serial line in memory: parses written packets and answers them with a function. */
export class MemoryLine implements SerialLine {
  readonly closed: Promise<string>;
  /** Every written packet, in order. */
  readonly packets: Packet[] = [];
  /** Answers a packet; the returned bytes arrive in a later turn of the event loop. */
  answer: (packet: Packet) => Uint8Array | null;
  readonly #reader = new PacketReader();
  readonly #end = Promise.withResolvers<string>();
  #listener: (bytes: Uint8Array) => void = () => {};
  #isOpen = true;

  constructor(answer: (packet: Packet) => Uint8Array | null = () => null) {
    this.answer = answer;
    this.closed = this.#end.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  write(bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    for (const packet of this.#reader.push(bytes)) {
      this.packets.push(packet);
      const answer = this.answer(packet);
      if (answer) setImmediate(() => this.say(answer));
    }
  }

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listener = listener;
  }

  /** Delivers bytes to the listener. */
  say(bytes: Uint8Array): void {
    if (this.#isOpen) this.#listener(bytes);
  }

  /** Closes the line, like a pulled cable. */
  unplug(): void {
    this.#isOpen = false;
    this.#end.resolve('unplugged');
  }

  async close(): Promise<void> {
    this.unplug();
  }
}

/** The bytes of a servo's answer. */
export function statusBytes(status: Partial<Status> & Pick<Status, 'id'>): Uint8Array {
  return encodePacket(statusPacket({ error: null, alert: false, data: new Uint8Array(0), ...status }));
}
