import { pathIn } from '../../parts/forms/typed-path.ts';

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
