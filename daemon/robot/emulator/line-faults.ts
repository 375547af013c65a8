/** What happens to bytes on a bad line. Shares are from 0 to 1; what is left out does not happen. */
export interface LineTrouble {
  /** The share of bytes that get lost. */
  readonly dropByte?: number;
  /** The share of bytes of which one bit arrives turned. */
  readonly corruptByte?: number;
  /** The share of answers that come late. */
  readonly lateShare?: number;
  /** By how much. */
  readonly lateMs?: number;
}

/** What arrives of some bytes. */
export function throughTrouble(
  bytes: Uint8Array,
  { dropByte = 0, corruptByte = 0 }: LineTrouble,
  random: () => number,
): Uint8Array {
  const arrived: number[] = [];
  for (const byte of bytes) {
    if (random() < dropByte) continue;
    arrived.push(random() < corruptByte ? byte ^ (1 << Math.floor(8 * random())) : byte);
  }
  return Uint8Array.from(arrived);
}
