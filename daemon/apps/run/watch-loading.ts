import { readFile } from 'node:fs/promises';
import { type Clock, sleepOn } from '../../shared/clock.ts';

const LOOK_EVERY_MS = 2_000;
/** A compiled part of a package in the memory of a program. */
const PART = /\/site-packages\/([A-Za-z0-9_]+)[/.]/g;

/**
 * Names what a Python program loads: at each look the package of which a compiled part has appeared since the one before.
 * Nothing is known of packages without such parts, and on systems without /proc.
 * @param signal ends the watch
 */
export async function watchLoading(watch: {
  readonly clock: Clock;
  readonly pid: number;
  readonly onPackage: (name: string) => void;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { clock, pid, onPackage, signal } = watch;
  let known: ReadonlySet<string> = new Set();
  while (!signal.aborted) {
    await sleepOn(clock, LOOK_EVERY_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const loaded = await loadedPackages(pid);
    const [fresh] = [...loaded].filter((name) => !known.has(name));
    if (fresh !== undefined && !signal.aborted) onPackage(fresh);
    known = loaded;
  }
}

/** The packages of which a process has mapped compiled parts. @param maps its /proc file */
export async function loadedPackages(pid: number, maps = `/proc/${pid}/maps`): Promise<ReadonlySet<string>> {
  const text = await readFile(maps, 'utf8').catch(() => '');
  return new Set([...text.matchAll(PART)].map(([, name]) => name as string));
}
