/** The files that are loaded first, and on demand: little at first, and each page with the styles of all that it shows. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../daemon/testing/daemon/test-daemon.ts';

const root = join(projectDir, 'renderer');
const textOf = (file: string) => readFileSync(file, 'utf8');
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));
const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file));

/** The style sheets that define each class. */
const definedIn = new Map<string, string[]>();
for (const sheet of files.filter((file) => file.endsWith('.css'))) {
  for (const [, name = ''] of textOf(sheet).matchAll(/\.([a-z][\w-]*)/gi)) {
    definedIn.set(name, [...(definedIn.get(name) ?? []), sheet]);
  }
}

/** A module and all that is loaded with it. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file) || !existsSync(file)) return loaded;
  loaded.add(file);
  if (!/\.tsx?$/.test(file)) return loaded;
  for (const [statement, path = ''] of textOf(file).matchAll(/^(?:import|export)[^;]*?['"](\.[^'"]+)['"];/gm)) {
    if (!/^(?:import|export) type/.test(statement)) loadedWith(join(dirname(file), path), loaded);
  }
  return loaded;
}

/** The modules that are loaded on demand, each with the module that asks for it. */
const onDemand = sources.flatMap((by) =>
  [...textOf(by).matchAll(/import\('(\.[^']+)'\)/g)].map(([, path = '']) => ({ by, module: join(dirname(by), path) })),
);
const first = loadedWith(join(root, 'main.tsx'));

function stylesMissing(loaded: ReadonlySet<string>): string[] {
  return [...loaded]
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      [...textOf(file).matchAll(/className=(?:"([^"]+)"|\{([^}]*)\})/g)]
        .flatMap(([, text, code]) => (text ?? code ?? '').match(/[a-z][\w-]*/gi) ?? [])
        .filter((name) => definedIn.has(name) && !definedIn.get(name)?.some((sheet) => loaded.has(sheet)))
        .map((name) => `${file.slice(root.length + 1)}: .${name}`),
    );
}

test('the first page loads no schema', () => {
  const importsZod = /^import (?!type)[^;]*['"]zod['"];/m;
  expect([...first].filter((file) => /\.tsx?$/.test(file) && importsZod.test(textOf(file)))).toEqual([]);
});

test('the first page loads the styles of its classes', () => {
  expect(stylesMissing(first)).toEqual([]);
});

test('each module that is loaded on demand brings the styles of its classes, or what asks for it has them', () => {
  expect(onDemand.length).toBeGreaterThan(5);
  for (const { by, module } of onDemand) {
    const loaded = new Set([...first, ...loadedWith(by), ...loadedWith(module)]);
    expect({ module, missing: stylesMissing(loaded) }).toEqual({ module, missing: [] });
  }
});

test('a module that is loaded again after a failure brings no styles, which only a reload would bring', () => {
  const again = onDemand.filter(({ by }) => by !== join(root, 'pages.ts'));
  for (const { by, module } of again) {
    const known = new Set([...first, ...loadedWith(by)]);
    const styles = [...loadedWith(module)].filter((file) => file.endsWith('.css') && !known.has(file));
    expect({ module, styles }).toEqual({ module, styles: [] });
  }
});
