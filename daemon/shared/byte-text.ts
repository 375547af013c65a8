const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size for people, in decimal units, with one decimal below 100: `640 kB`, `12.4 MB`, `38 MB`. The page shows the same. */
export function byteText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const size = bytes / 1000 ** power;
  return `${size < 99.95 ? Number(size.toFixed(1)) : Math.round(size)} ${UNITS[power]}`;
}
