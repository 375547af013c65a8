/** A drop on the page. A browser tells the name of a file, and keeps its place to itself. */
export type Dropped =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unusable'; readonly message: string };

const unusable = (message: string): Dropped => ({ kind: 'unusable', message });

/** Reads a drop: a path or a file:// address as text, or the name of a file. Call it within the event. */
export function readDrop(data: Pick<DataTransfer, 'files' | 'getData' | 'items'>): Promise<Dropped> {
  const path = pathIn(data.getData('text/uri-list')) ?? pathIn(data.getData('text/plain'));
  const files = [...data.files];
  const isFolder = [...data.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  return path === null ? droppedFile(files, isFolder) : Promise.resolve({ kind: 'path', path });
}

async function droppedFile(files: readonly File[], isFolder: boolean): Promise<Dropped> {
  const [file] = files;
  if (isFolder) return unusable('That is a folder. Drop the .gguf file in it.');
  if (!file) return unusable('That is no file. Drop a .gguf file.');
  if (files.length > 1) return unusable('These are several files. Drop one; of a split model, its first part.');
  const { name } = file;
  if (!/\.gguf$/i.test(name)) return unusable(`${name} is no .gguf file.`);
  const beginning = await file
    .slice(0, 4)
    .text()
    .catch(() => null); // unreadable: the daemon says why
  if (beginning !== null && beginning !== 'GGUF') return unusable(`${name} is no GGUF file, in spite of its name.`);
  return { kind: 'name', name };
}

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
