/** Shorter values are not masked: they occur in ordinary words. */
const SHORTEST_SECRET = 6;
const MASK = '••••••';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/** Masks every exact occurrence of a secret, and of each line of a secret with several lines. */
export function createMask(secrets: readonly string[]): Mask {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split('\n')])
    .map((part) => part.trim())
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length); // a secret that contains another one is masked completely
  if (hidden.length === 0) return (text) => text;
  const anySecret = new RegExp(hidden.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  return (text) => text.replace(anySecret, MASK);
}
