import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { type Figure, row } from '../harness/figure.ts';
import { summary } from '../harness/samples.ts';

const AIM_KB = 180;
const BYTES_PER_KB = 1000;

/** The size of the files that a browser loads before the first paint, each compressed as sent. */
export const dashboardSize: Figure = {
  name: 'dashboard-size',
  measures: 'gzip -9 of the files in index.html: scripts with the static imports of the entry, and style sheets',
  beside: null,
  measure: async () => {
    const folder = join(projectDir, 'dist', 'renderer');
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const { scripts, styles } = loadedFirst(page);
    if (scripts.length === 0 || styles.length === 0) throw new Error(`${folder}/index.html names no script or style.`);
    const size = async (files: readonly string[]) => {
      const bytes = await Promise.all(
        files.map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length),
      );
      return { ours: summary([bytes.reduce((a, b) => a + b, 0) / BYTES_PER_KB]), beside: null };
    };
    const aim = { text: `≤ ${AIM_KB} kB`, most: AIM_KB };
    return [
      row('dashboard-size, JavaScript', 'kB', await size(scripts)),
      row('dashboard-size, CSS', 'kB', await size(styles)),
      row('dashboard-size, both', 'kB', await size([...scripts, ...styles]), () => aim),
    ];
  },
};

/** Vite writes a modulepreload link for each static import of the entry, and none for modules loaded on demand. */
function loadedFirst(page: string): { scripts: string[]; styles: string[] } {
  const tags = [...page.matchAll(/<(?:script|link)\s[^>]*>/g)].map(([tag]) => ({
    rel: /\srel="([^"]+)"/.exec(tag)?.[1] ?? (tag.startsWith('<script') ? 'script' : ''),
    file: /\s(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? '',
  }));
  const files = (...rels: readonly string[]) =>
    tags.filter(({ rel, file }) => rels.includes(rel) && file !== '').map(({ file }) => file);
  return { scripts: files('script', 'modulepreload'), styles: files('stylesheet') };
}
