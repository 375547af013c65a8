import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
  UDPWrap: 'socket of UDP',
  PipeWrap: 'pipe',
  FSEventWrap: 'watched file',
  StatWatcher: 'watched file',
} as const;
type Resource = keyof typeof resources;

/** Node's cache of compiled code, which all test files share: without it, each would compile the commands again. */
const COMPILE_CACHE = 'node-compile-cache';
/** Programs make these folders. electron-builder's loader of its configuration makes `jiti`. */
const caches = [COMPILE_CACHE, 'jiti'];
/** Node reads TMPDIR, on Windows TEMP and TMP. */
const variables = ['TMPDIR', 'TEMP', 'TMP'];
const ENDING_MS = 2_000;
const LOOK_MS = 20;
/** Enough of a command to know it. */
const COMMAND_LENGTH = 80;

/** The watch over what some code leaves. */
export interface Watch {
  /** Removes the folder. @returns the leftovers: files in it, resources that were not there before, and live processes */
  readonly end: () => Promise<string[]>;
  /** Removes the folder without looking at it. Does nothing after the end. */
  readonly drop: () => void;
}

/**
 * Gives this process a temporary folder of its own, and begins to count its resources.
 * @param kinds the resources that count; all without it
 * @param endingMs the time for processes and servers that were asked to end
 */
export function watchLeftovers(kinds = Object.keys(resources) as readonly Resource[], endingMs = ENDING_MS): Watch {
  void process.stdin; // opened by its first use, as by execa
  const before = counts();
  const outer = variables.map((name) => [name, process.env[name]] as const);
  const compileCache = join(tmpdir(), COMPILE_CACHE);
  const folder = mkdtempSync(join(tmpdir(), 'robot-test-'));
  chmodSync(folder, 0o755); // some tests act as another user
  mkdirSync(compileCache, { recursive: true });
  symlinkSync(compileCache, join(folder, COMPILE_CACHE), 'junction'); // the kind that Windows allows every user
  for (const name of variables) process.env[name] = folder;

  function left(): string[] {
    const now = counts();
    const more = kinds.flatMap((kind) => {
      const count = (now[kind] ?? 0) - (before[kind] ?? 0);
      return count > 0 ? [`${count} × ${resources[kind]}`] : [];
    });
    return [...more, ...processesIn(folder), ...readdirSync(folder).filter((name) => !caches.includes(name))];
  }
  let isOver = false;
  function restore(): void {
    isOver = true;
    for (const [name, value] of outer) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  function drop(): void {
    if (isOver) return;
    restore();
    remove(folder);
  }

  return {
    end: async () => {
      restore();
      const startMs = performance.now();
      let found = left();
      while (found.length > 0 && performance.now() - startMs < endingMs) {
        await sleep(LOOK_MS);
        found = left();
      }
      return [...found, ...remove(folder)];
    },
    drop,
  };
}

let ofEarlierFile: Watch | undefined;

/**
 * The same for a test file of a worker, which runs one file after another. A file without a test that runs, or that cannot
 * be loaded, never ends its watch: the next file drops it, or the end of the worker.
 * @param atWorkersEnd calls a function before the worker ends
 */
export function watchTestFile(atWorkersEnd: (call: () => void) => void): Watch {
  ofEarlierFile?.drop();
  ofEarlierFile = watchLeftovers();
  atWorkersEnd(ofEarlierFile.drop);
  return ofEarlierFile;
}

function counts(): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}

/** @returns the live processes that inherited this temporary folder, also those whose parents have ended; none but on Linux */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    if (!textOf(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`)) return [];
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll(/[\0\s]+/g, ' ');
    return [`the process ${command.trim().slice(0, COMMAND_LENGTH)}`];
  });
}

/** @returns what a file holds, or nothing where its process has ended or is another user's */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** @returns why the folder stays, where it cannot be removed, as with a mounted disk in it */
function remove(folder: string): string[] {
  try {
    rmSync(folder, { recursive: true, force: true });
    return [];
  } catch (error) {
    return [`the folder ${folder}, which cannot be removed (${(error as Error).message})`];
  }
}
