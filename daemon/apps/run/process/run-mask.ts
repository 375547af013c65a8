/** Shorter values are not masked: they occur in ordinary words. */
const SHORTEST_SECRET = 6;
const MASK = '••••••';
/** Far below the length at which Node refuses a regular expression. */
const LONGEST_IN_PATTERN = 4_096;

/** Replaces secrets in a text. @param isCut whether the text may end within one; default: no */
export type Mask = (text: string, isCut?: boolean) => string;

/** Masks every exact occurrence of a secret, and of each line of a secret with several lines. */
export function createMask(secrets: readonly string[]): Mask {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split('\n')])
    .map((part) => part.trim())
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length); // a secret that contains another one is masked completely
  if (hidden.length === 0) return (text) => text;
  const long = hidden.filter((part) => part.length > LONGEST_IN_PATTERN);
  const escaped = hidden.slice(long.length).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const anySecret = escaped.length > 0 ? new RegExp(escaped.join('|'), 'g') : null;
  return (text, isCut = false) => {
    const rest = long.reduce((left, part) => left.replaceAll(part, MASK), text);
    const masked = anySecret ? rest.replace(anySecret, MASK) : rest;
    return isCut ? withoutCutSecret(masked, hidden) : masked;
  };
}

/** Masks the beginning of a secret at the end of a text. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const longest = secrets[0]?.length ?? 0;
  for (let length = Math.min(text.length, longest - 1); length >= SHORTEST_SECRET; length -= 1) {
    const end = text.slice(-length);
    if (secrets.some((secret) => secret.startsWith(end))) return text.slice(0, -length) + MASK;
  }
  return text;
}
