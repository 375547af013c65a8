import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { parse } from 'vite';

/** One folder imports another: the two folders, and a file of the first with the file that it imports. */
interface FolderImport {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

/**
 * Finds folders that import each other, directly or through others; imports of types count, a folder and the folders
 * inside it are different folders. A linter sees circles of files only.
 * @param root the folder that the paths are relative to
 * @param files paths with `/`; imports of other files are ignored
 * @returns a description of each circle found, such as `a -> b (a/x.ts -> b/y.ts), b -> a (b/z.ts -> a/x.ts)`
 */
export async function findFolderCircles(root: string, files: readonly string[]): Promise<string[]> {
  const imports = Map.groupBy(await folderImports(root, files), ({ from }) => from);
  const circles: string[] = [];
  const finished = new Set<string>();

  function visit(folder: string, path: readonly FolderImport[]): void {
    const start = path.findIndex(({ from }) => from === folder);
    if (start >= 0) {
      circles.push(
        path
          .slice(start)
          .map(({ from, to, example }) => `${from} -> ${to} (${example})`)
          .join(', '),
      );
      return;
    }
    if (finished.has(folder)) return;
    for (const step of imports.get(folder) ?? []) visit(step.to, [...path, step]);
    finished.add(folder);
  }
  for (const folder of imports.keys()) visit(folder, []);
  return circles;
}

async function folderImports(root: string, files: readonly string[]): Promise<FolderImport[]> {
  const known = new Set(files);
  const found = new Map<string, FolderImport>();
  // Together: one after the other, each waits for its turn beside other programs, which took a minute on a busy machine.
  const parsed = await Promise.all(
    files.map(async (file) => {
      const { module } = await parse(file, await readFile(posix.join(root, file), 'utf8'));
      return { file, module };
    }),
  );
  for (const { file, module } of parsed) {
    const specifiers = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ];
    for (const specifier of specifiers) {
      const imported = posix.join(posix.dirname(file), specifier ?? '');
      const [from, to] = [posix.dirname(file), posix.dirname(imported)];
      if (!specifier?.startsWith('.') || !known.has(imported) || from === to) continue;
      found.set(`${from} ${to}`, { from, to, example: `${file} -> ${imported}` });
    }
  }
  return [...found.values()];
}
