const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A path as git prints it: in quotes, with escapes, if it holds control characters, quotes or backslashes. */
export function unquoted(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path;
  return path.slice(1, -1).replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return escapes[letter] ?? letter;
  });
}
