const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

interface ByteUnit {
  readonly size: number;
  readonly name: (typeof UNITS)[number];
}

function unitOf(bytes: number): ByteUnit {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return { size: 1000 ** power, name: UNITS[power] ?? 'B' };
}

/** One decimal below 100. It is left out where it is 0, except of gigabytes and more, which are compared: `7.0` with `20.4`. */
function inUnit(bytes: number, { size, name }: ByteUnit): string {
  const tenths = Math.round((bytes / size) * 10);
  if (name === 'B' || bytes === 0 || tenths >= 1000) return String(Math.round(bytes / size));
  const isWhole = tenths % 10 === 0 && name !== 'GB' && name !== 'TB';
  return isWhole ? String(tenths / 10) : (tenths / 10).toFixed(1);
}

/**
 * A size for people, in decimal units: `640 kB`, `12.4 MB`, `38 MB`, `7.0 GB`, `271 GB`. Daemon, terminal and pages show
 * all sizes so.
 */
export function byteText(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${unit.name}`;
}

/** A part of a size, both in the unit of the whole: `12.4 of 38 MB`, `7.0 of 20.4 GB`; of a part too small for it, `2.1 MB of 2.1 GB`. */
export function byteTextOf(part: number, whole: number): string {
  const unit = unitOf(whole);
  if (part > 0 && Number(inUnit(part, unit)) === 0) return `${byteText(part)} of ${byteText(whole)}`;
  return `${inUnit(part, unit)} of ${inUnit(whole, unit)} ${unit.name}`;
}
