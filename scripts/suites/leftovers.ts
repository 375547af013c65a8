import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resources that keep a process alive: their names in `process.getActiveResourcesInfo`, and those for people. */
const resources = {
  Timeout: 'timer',
  Immediate: 'immediate',
  ProcessWrap: 'child process',
  TCPServerWrap: 'server',
  PipeServerWrap: 'server',
  TCPSocketWrap: 'socket', // not those that fetch keeps for its next request, which let the process end
  PipeWrap: 'pipe',
} as const;
type Resource = keyof typeof resources;

/** Where Node keeps what it has compiled of the commands, by content: each file would compile them again. */
const COMPILE_CACHE = 'node-compile-cache';
/** The other is of a package that electron-builder loads its configuration with. */
const caches = [COMPILE_CACHE, 'jiti'];
/** Time for processes and servers that were told to end. */
const ENDING_MS = 2_000;
const LOOK_MS = 20;

/**
 * Gives this process a temporary folder of its own, and begins to count its resources.
 * @param kinds the resources that count; all without it
 * @returns a function that takes the folder away, and tells what is left: files there, and resources that were not there before
 */
export function watchLeftovers(kinds = Object.keys(resources) as readonly Resource[]): () => Promise<string[]> {
  void process.stdin; // opened by its first use, as by execa
  const before = counts();
  const outer = process.env['TMPDIR'];
  const compileCache = join(tmpdir(), COMPILE_CACHE);
  const folder = mkdtempSync(join(tmpdir(), 'robot-test-'));
  chmodSync(folder, 0o755); // some tests act as another user
  mkdirSync(compileCache, { recursive: true });
  symlinkSync(compileCache, join(folder, COMPILE_CACHE));
  process.env['TMPDIR'] = folder;

  function left(): string[] {
    const now = counts();
    const more = kinds.flatMap((kind) => {
      const count = (now[kind] ?? 0) - (before[kind] ?? 0);
      return count > 0 ? [`${count} × ${resources[kind]}`] : [];
    });
    return [...more, ...readdirSync(folder).filter((name) => !caches.includes(name))];
  }

  return async () => {
    if (outer === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = outer;
    const startMs = performance.now();
    let found = left();
    while (found.length > 0 && performance.now() - startMs < ENDING_MS) {
      await sleep(LOOK_MS);
      found = left();
    }
    rmSync(folder, { recursive: true, force: true });
    return found;
  };
}

function counts(): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}
