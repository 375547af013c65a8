/** Faults of a serial line. Shares are from 0 to 1; omitted faults do not happen. */
export interface LineFaults {
  /** Share of bytes that are lost. */
  readonly dropByte?: number;
  /** Share of bytes with one flipped bit. */
  readonly corruptByte?: number;
  /** Share of answers that come late. */
  readonly lateShare?: number;
  /** Delay of late answers. */
  readonly lateMs?: number;
}

/** The bytes that arrive, with losses and flipped bits. */
export function withFaults(
  bytes: Uint8Array,
  { dropByte = 0, corruptByte = 0 }: LineFaults,
  random: () => number,
): Uint8Array {
  const arrived: number[] = [];
  for (const byte of bytes) {
    if (random() < dropByte) continue;
    arrived.push(random() < corruptByte ? byte ^ (1 << Math.floor(8 * random())) : byte);
  }
  return Uint8Array.from(arrived);
}
