import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PREFIX = 'icon:';

/**
 * Provides `icon:<name>`, the SVG paths of an icon, for a field of 24 by 24: one small file of data holds the thousands of
 * icons of the set, of which a page gets those that it imports.
 * @returns a plugin that refuses an icon which the set does not have
 */
export function icons(): Plugin {
  let set: Promise<Readonly<Record<string, { readonly body: string }>>> | undefined;
  return {
    name: 'icons',
    resolveId: { filter: { id: /^icon:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0icon:/ },
      async handler(id) {
        set ??= readSet();
        const name = id.slice(`\0${PREFIX}`.length);
        const icon = (await set)[name] ?? this.error(`The set has no icon ${name}`);
        return `export default ${JSON.stringify(pathsIn(icon.body))};`;
      },
    },
  };
}

async function readSet() {
  const file = fileURLToPath(import.meta.resolve('@iconify-json/tabler/icons.json'));
  return JSON.parse(await readFile(file, 'utf8')).icons;
}

function pathsIn(body: string): (string | undefined)[] {
  return Array.from(body.matchAll(/ d="([^"]+)"/g), ([, path]) => path);
}
