/**
 * Dynamixel protocol 2.0 of the servos' bus, as pure functions on bytes.
 *
 * A packet is `FF FF FD 00`, the id, the length of what follows (2 bytes, low first), the instruction, its parameters
 * and a CRC-16 (2 bytes, low first). So that no header ever shows up inside, `FF FF FD` in instruction and parameters
 * is followed by one more `FD`. Numbers and rules are those of the protocol's public description (e-Manual, "Protocol
 * 2.0").
 */

export const INSTRUCTION = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  reboot: 0x08,
  status: 0x55,
  syncRead: 0x82,
  syncWrite: 0x83,
} as const;

/** Addresses every servo. */
export const BROADCAST_ID = 0xfe;

export interface Packet {
  readonly id: number;
  readonly instruction: number;
  readonly parameters: Uint8Array;
}

/** A servo's answer: an error or data. */
export interface Status {
  readonly id: number;
  /** Why it refused the request, or null. */
  readonly error: StatusError | null;
  /** Whether it is in fault; register `hardwareErrorStatus` says which. */
  readonly alert: boolean;
  readonly data: Uint8Array;
}

/** In the order of their codes, 1 to 7. */
const statusErrors = [
  'result-fail',
  'bad-instruction',
  'bad-crc',
  'data-range',
  'data-length',
  'data-limit',
  'access',
] as const;
export type StatusError = (typeof statusErrors)[number] | 'unknown';
const ALERT = 0x80;

const HEADER = [0xff, 0xff, 0xfd, 0x00] as const;
const HEADER_NUMBER = 0xfffffd00;
const STUFFING = 0xfd;
/** Header, id and length. */
const BEFORE_BODY = 7;
const CRC_BYTES = 2;
/** Limit above any packet of this bus; a greater length is a transmission error. */
export const MAX_PACKET_BYTES = 512;

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
  return crc & 0xffff;
});

/** CRC-16 with polynomial 0x8005, from 0, highest bit first. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc;
}

/** The bytes of a packet. @throws RangeError when it would be longer than 512 bytes */
export function encodePacket({ id, instruction, parameters }: Packet): Uint8Array {
  const body = stuffed([instruction, ...parameters]);
  const length = body.length + CRC_BYTES;
  if (BEFORE_BODY + length > MAX_PACKET_BYTES) throw new RangeError(`A packet of ${length} bytes is too long.`);
  const bytes = Uint8Array.from([...HEADER, id, length & 0xff, length >> 8, ...body, 0, 0]);
  const crc = crc16(bytes.subarray(0, -CRC_BYTES));
  bytes[bytes.length - 2] = crc & 0xff;
  bytes[bytes.length - 1] = crc >> 8;
  return bytes;
}

/** Decodes a packet with the instruction `status`. @returns null for another packet, or one without its error byte */
export function statusOf({ id, instruction, parameters }: Packet): Status | null {
  const [code] = parameters;
  if (instruction !== INSTRUCTION.status || code === undefined) return null;
  const number = code & ~ALERT;
  return {
    id,
    error: number === 0 ? null : (statusErrors[number - 1] ?? 'unknown'),
    alert: (code & ALERT) !== 0,
    data: parameters.subarray(1),
  };
}

/** A servo's answer as a packet. */
export function statusPacket({ id, error, alert, data }: Status): Packet {
  const number = error === null ? 0 : error === 'unknown' ? statusErrors.length + 1 : statusErrors.indexOf(error) + 1;
  const code = number | (alert ? ALERT : 0);
  return { id, instruction: INSTRUCTION.status, parameters: Uint8Array.from([code, ...data]) };
}

/**
 * Finds the packets in a stream of bytes with noise. Stuffing keeps headers out of packets, so a header inside a packet
 * means that the packet was cut short: the reader drops it and begins with the new one. Holds at most 512 bytes, and
 * reads each byte once.
 */
export class PacketReader {
  /** The bytes of the current packet, from its header on. */
  readonly #packet = new Uint8Array(MAX_PACKET_BYTES);
  /** Number of its bytes so far; 0: no header was seen. */
  #length = 0;
  /** Its total length, once the length field was read. */
  #end = 0;
  /** The last four bytes of the stream as one number. */
  #latest = 0;
  #damaged = 0;

  /** Number of headers without a complete packet. */
  get damaged(): number {
    return this.#damaged;
  }

  /** @returns the packets that these bytes complete */
  push(chunk: Uint8Array): Packet[] {
    const packets: Packet[] = [];
    for (const byte of chunk) {
      const packet = this.#take(byte);
      if (packet) packets.push(packet);
    }
    return packets;
  }

  /** Drops an incomplete packet before a new request, so that late bytes of the last one are ignored. */
  reset(): void {
    this.#length = 0;
    this.#latest = 0;
  }

  #take(byte: number): Packet | null {
    this.#latest = ((this.#latest << 8) | byte) >>> 0;
    const packet = this.#length > 0 ? this.#grow(byte) : null;
    if (packet) this.#length = 0;
    // Also at the end of a complete packet: if its last bytes were lost, the next header may have replaced them.
    if (this.#latest === HEADER_NUMBER) this.#begin();
    return packet;
  }

  #begin(): void {
    if (this.#length > 0) this.#damaged += 1;
    this.#packet.set(HEADER);
    this.#length = HEADER.length;
  }

  /** @returns the packet that this byte completes */
  #grow(byte: number): Packet | null {
    this.#packet[this.#length] = byte;
    this.#length += 1;
    if (this.#length < BEFORE_BODY) return null;
    if (this.#length === BEFORE_BODY) {
      const length = at(this.#packet, 5) | (at(this.#packet, 6) << 8);
      this.#end = BEFORE_BODY + length;
      if (length <= CRC_BYTES || this.#end > MAX_PACKET_BYTES) this.#drop();
      return null;
    }
    if (this.#length < this.#end) return null;
    const packet = completePacket(this.#packet.subarray(0, this.#end));
    if (!packet) this.#drop();
    return packet;
  }

  #drop(): void {
    this.#damaged += 1;
    this.#length = 0;
  }
}

function completePacket(bytes: Uint8Array): Packet | null {
  const crcAt = bytes.length - CRC_BYTES;
  if (crc16(bytes.subarray(0, crcAt)) !== (at(bytes, crcAt) | (at(bytes, crcAt + 1) << 8))) return null;
  const body = unstuffed(bytes.subarray(BEFORE_BODY, crcAt));
  return { id: at(bytes, 4), instruction: at(body, 0), parameters: body.subarray(1) };
}

function stuffed(body: readonly number[]): number[] {
  const out: number[] = [];
  for (const byte of body) {
    out.push(byte);
    if (endsLikeHeader(out, out.length)) out.push(STUFFING);
  }
  return out;
}

function unstuffed(body: Uint8Array): Uint8Array {
  const out = new Uint8Array(body.length);
  let length = 0;
  for (let index = 0; index < body.length; index++) {
    out[length] = at(body, index);
    length += 1;
    if (endsLikeHeader(out, length) && body[index + 1] === STUFFING) index += 1;
  }
  return out.subarray(0, length);
}

function endsLikeHeader(bytes: ArrayLike<number>, length: number): boolean {
  return bytes[length - 1] === HEADER[2] && bytes[length - 2] === HEADER[1] && bytes[length - 3] === HEADER[0];
}

const at = (bytes: Uint8Array, index: number): number => bytes[index] as number;
