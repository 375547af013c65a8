/** `00:42`, `12:05`, `1:00:07`. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
}

/** `just now`, `40 s ago`, `2 min ago`, `3 h ago`, `5 days ago`, `11 months ago`, `2 years ago`. */
export function timeAgo(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  if (days < 60) return days === 1 ? 'yesterday' : `${days} days ago`;
  const months = Math.floor(days / 30.44);
  return months < 24 ? `${months} months ago` : `${Math.floor(months / 12)} years ago`;
}

/** `7 ms`, `0.8 s`, `42 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 100) return `${Math.max(1, Math.round(milliseconds))} ms`;
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export const exactTime = (moment: string | number): string => new Date(moment).toLocaleString();

/** The same to the minute, for a sentence. */
export const minuteTime = (moment: string): string =>
  new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats with a fixed number of decimals, a real minus sign and no "-0". */
export function decimals(value: number, digits = 1): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** The first seven digits. */
export const shortCommit = (commit: string): string => commit.slice(0, 7);

export const firstSentence = (message: string): string => /^.+?[.!?](?=\s|$)/s.exec(message)?.[0] ?? message;

/** `1 app`, `3,000 apps`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** `33M`, `8.2B`. */
export function parameters(count: number): string {
  const [size, unit] = count >= 1e9 ? [1e9, 'B'] : count >= 1e6 ? [1e6, 'M'] : [1e3, 'K'];
  const value = count / size;
  return `${value >= 100 ? Math.round(value) : Number(value.toFixed(1))}${unit}`;
}

/** The version of a Python without its patch: `3.12.4` as "3.12". */
export function minorVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
