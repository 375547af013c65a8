/** The path in the first line of a text; null: there is none of this machine. */
export function pathIn(text: string): string | null {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '' && !each.startsWith('#'));
  const [, host, path] = /^file:\/\/([^/]*)(\/.*)$/i.exec(line?.trim() ?? '') ?? [];
  if (path === undefined) return line !== undefined && /^(?:\/|[a-z]:[\\/])/i.test(line.trim()) ? line.trim() : null;
  if (host !== '' && host !== 'localhost') return null;
  try {
    const decoded = decodeURIComponent(path);
    return /^\/[a-z]:\//i.test(decoded) ? decoded.slice(1) : decoded;
  } catch {
    return null;
  }
}

/** A path that was typed or pasted: file managers copy one in quotation marks, or as a file:// address. */
export function typedPath(text: string): string {
  const [, , inQuotes] = /^(["'])(.+)\1$/s.exec(text.trim()) ?? [];
  const path = (inQuotes ?? text).trim();
  return (/^file:/i.test(path) ? pathIn(path) : null) ?? path;
}

/** The folder of a path with the separator at its end; empty: it has none. */
export const folderOf = (path: string): string => /^.*[\\/]/s.exec(path)?.[0] ?? '';
