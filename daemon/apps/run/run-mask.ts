/** Shorter values are left alone: they would be found in ordinary words. */
const SHORTEST_SECRET = 6;
const MASK = '••••••';

/** Takes what must not be shown out of a text. */
export type Mask = (text: string) => string;

/** Hides every exact occurrence of a secret; of one that goes over several lines, each line too. */
export function maskOf(secrets: readonly string[]): Mask {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split('\n')])
    .map((part) => part.trim())
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length); // a secret that holds another one is hidden whole
  if (hidden.length === 0) return (text) => text;
  const anySecret = new RegExp(hidden.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  return (text) => text.replace(anySecret, MASK);
}
