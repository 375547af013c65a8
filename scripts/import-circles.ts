import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { parse } from 'vite';

/** One file imports another. */
interface Import {
  readonly file: string;
  readonly imported: string;
  /** Loaded when it is needed: `await import(…)`. */
  readonly isLate: boolean;
}

/**
 * Finds folders, and files, that import each other, directly or through others. Imports of types count; those that are
 * loaded late count for files only. A folder and the folders inside it are different folders. A linter sees circles of
 * files only, and no late imports.
 * @param root the folder that the paths are relative to
 * @param files paths with `/`; imports of other files are ignored
 * @returns a description of each circle found, such as `a -> b (a/x.ts -> b/y.ts), b -> a (b/z.ts -> a/x.ts)` of folders,
 *   and `a/x.ts -> a/y.ts, a/y.ts -> a/x.ts` of files
 */
export async function findCircles(root: string, files: readonly string[]): Promise<string[]> {
  const imports = await importsOf(root, files);
  return [
    ...circlesIn(imports.filter(({ isLate }) => !isLate).map(betweenFolders)),
    ...circlesIn(imports.map(({ file, imported }) => ({ from: file, to: imported, example: '' }))),
  ];
}

interface Step {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

function betweenFolders({ file, imported }: Import): Step {
  return { from: posix.dirname(file), to: posix.dirname(imported), example: ` (${file} -> ${imported})` };
}

function circlesIn(steps: readonly Step[]): string[] {
  const between = new Map(steps.filter(({ from, to }) => from !== to).map((step) => [`${step.from} ${step.to}`, step]));
  const stepsFrom = Map.groupBy(between.values(), ({ from }) => from);
  const circles: string[] = [];
  const finished = new Set<string>();

  function visit(place: string, path: readonly Step[]): void {
    const start = path.findIndex(({ from }) => from === place);
    if (start >= 0) {
      const circle = path.slice(start);
      circles.push(circle.map(({ from, to, example }) => `${from} -> ${to}${example}`).join(', '));
      return;
    }
    if (finished.has(place)) return;
    for (const step of stepsFrom.get(place) ?? []) visit(step.to, [...path, step]);
    finished.add(place);
  }
  for (const place of stepsFrom.keys()) visit(place, []);
  return circles;
}

async function importsOf(root: string, files: readonly string[]): Promise<Import[]> {
  const known = new Set(files);
  // Together: one after the other, each waits for its turn beside other programs, which took a minute on a busy machine.
  const found = await Promise.all(
    files.map(async (file): Promise<Import[]> => {
      const text = await readFile(posix.join(root, file), 'utf8');
      const { module } = await parse(file, text);
      const early = [
        ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
      ];
      const late = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
      return [
        ...early.map((specifier) => ({ file, imported: importedBy(file, specifier), isLate: false })),
        ...late.map((specifier) => ({ file, imported: importedBy(file, specifier), isLate: true })),
      ];
    }),
  );
  return found.flat().filter(({ imported }) => known.has(imported));
}

function importedBy(file: string, specifier = ''): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : '';
}
