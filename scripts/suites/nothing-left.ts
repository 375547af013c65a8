/**
 * Setup of every test file that vitest runs: gives it a temporary folder of its own, and fails the file when something of it
 * is left after its last test: a file there, a timer, a server, or a child process. The files of a worker share its process,
 * so what one leaves would meet the next.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll } from 'vitest';

/**
 * Resources that keep a process alive: their names in `process.getActiveResourcesInfo`, and those for people. Sockets of `fetch`
 * are left out, since they stay open for the next request.
 */
const kinds: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  Immediate: 'immediate',
  TCPServerWrap: 'server',
  PipeServerWrap: 'server',
  ProcessWrap: 'child process',
};
/** Where Node keeps what it has compiled of the commands, by content: each file would compile them again. */
const COMPILE_CACHE = 'node-compile-cache';
/** The other is of a package that electron-builder loads its configuration with. */
const caches = [COMPILE_CACHE, 'jiti'];
/** Time for processes and servers that were told to end. */
const ENDING_MS = 2_000;
const LOOK_MS = 20;

const before = counts();
const outer = process.env['TMPDIR'];
const compileCache = join(tmpdir(), COMPILE_CACHE);
const folder = mkdtempSync(join(tmpdir(), 'robot-test-'));
chmodSync(folder, 0o755); // some tests act as another user
mkdirSync(compileCache, { recursive: true });
symlinkSync(compileCache, join(folder, COMPILE_CACHE));
process.env['TMPDIR'] = folder;

// A function that `beforeAll` returns runs after the file's own hooks, and this one, registered first, after the file's own such functions.
beforeAll(() => async () => {
  if (outer === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = outer;
  const startMs = performance.now();
  let found = left();
  while (found.length > 0 && performance.now() - startMs < ENDING_MS) {
    await sleep(LOOK_MS);
    found = left();
  }
  rmSync(folder, { recursive: true, force: true });
  if (found.length > 0) throw new Error(`After its last test, this file leaves ${found.join(', ')}.`);
});

function counts(): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}

function left(): string[] {
  const now = counts();
  const more = Object.entries(kinds).flatMap(([kind, name]) => {
    const count = (now[kind] ?? 0) - (before[kind] ?? 0);
    return count > 0 ? [`${count} × ${name}`] : [];
  });
  return [...more, ...readdirSync(folder).filter((name) => !caches.includes(name))];
}
