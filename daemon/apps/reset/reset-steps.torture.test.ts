/**
 * Resets and undos whose daemon is killed before one of their steps on the disk, or whose disk is full or read-only from one
 * on, for each step: all of it has happened, or nothing, and nothing is lost.
 */
import fs from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../../shared/files/storage-errors.ts';
import {
  besideCode,
  found,
  leftIn,
  saveBesideCode,
  setUp,
  startOn,
  write,
} from '../../testing/apps/app-with-resets.ts';

const changing = ['mkdir', 'open', 'rename', 'rm'] as const;
type Step = (typeof changing)[number];
const original = Object.fromEntries(changing.map((name) => [name, fs.promises[name]]));

/** Lets something happen before each change of the disk. @param before gets the number of the step, from 0 */
function beforeSteps(before: (number: number, step: Step) => Promise<void>): void {
  let number = 0;
  for (const name of changing) {
    const change = async (...given: readonly unknown[]) => {
      await before(number++, name);
      return Reflect.apply(original[name] as () => unknown, fs.promises, given) as unknown;
    };
    Object.assign(fs.promises, { [name]: change });
  }
  syncBuiltinESMExports();
}
function withoutSteps(): void {
  Object.assign(fs.promises, original);
  syncBuiltinESMExports();
}
afterEach(withoutSteps);

const failure = (code: string) => Object.assign(new Error(`${code}: no change`), { code });

type Daemon = Awaited<ReturnType<typeof setUp>>;
type Contents = Awaited<ReturnType<typeof contentsOf>>;

/** All that the app has, and when it was reset. */
async function contentsOf({ folder, apps, variables }: Pick<Daemon, 'folder' | 'apps' | 'variables'>) {
  const counter = await readFile(besideCode(apps, 'dance/counter.json'), 'utf8').catch(() => null);
  return { ...(await found(folder, { variables })), counter, reset: apps.get('dance').reset?.at ?? null };
}

async function appWithCounter(): Promise<Daemon> {
  const daemon = await setUp();
  await saveBesideCode(daemon.apps, 'dance/counter.json', '7');
  return daemon;
}

/** The next daemon, on the same folder under another name: in this process a write that was killed still keeps others waiting. */
async function nextOn({ root, clock }: Daemon) {
  const moved = `${root}-next`;
  onTestFinished(() => rm(moved, { recursive: true, force: true }));
  await rename(root, moved);
  return { folder: join(moved, 'apps', 'dance'), ...(await startOn(moved, clock)) };
}

async function saveNewer({ folder, clock }: Daemon): Promise<void> {
  await clock.advance(60_000);
  await write(join(folder, 'files', 'new.txt'), '123');
}

const works: Readonly<
  Record<string, { prepare: (daemon: Daemon) => Promise<unknown>; run: (daemon: Daemon) => Promise<unknown> }>
> = {
  'a reset': { prepare: async () => {}, run: ({ resets }) => resets.reset('dance') },
  'a second reset': {
    prepare: async (daemon) => {
      await daemon.resets.reset('dance');
      await saveNewer(daemon);
    },
    run: ({ resets }) => resets.reset('dance'),
  },
  'an undo': { prepare: ({ resets }) => resets.reset('dance'), run: ({ resets }) => resets.undo('dance') },
  'an undo that replaces': {
    prepare: async (daemon) => {
      await daemon.resets.reset('dance');
      await saveNewer(daemon);
    },
    run: ({ resets }) => resets.undo('dance', { replace: true }),
  },
};

/** Undoes the reset. @returns the contents, which must be as they were before */
async function undone(daemon: Pick<Daemon, 'folder' | 'apps' | 'variables' | 'resets'>): Promise<Contents> {
  await daemon.resets.undo('dance', { replace: true });
  return contentsOf(daemon);
}

describe.each(Object.entries(works))('%s', (_, { prepare, run }) => {
  /** Prepares the work, and tells the app before it and after it, and what an undo brings back in each case. */
  async function ends() {
    const [before, after] = [await appWithCounter(), await appWithCounter()];
    for (const daemon of [before, after]) await prepare(daemon);
    const [old, whole] = [await contentsOf(before), await run(after).then(() => contentsOf(after))];
    const back = async (contents: Contents, daemon: Daemon) => (contents.reset === null ? null : undone(daemon));
    return [
      { contents: old, back: await back(old, before) },
      { contents: whole, back: await back(whole, after) },
    ];
  }

  /** Runs the work with a hindrance at each step in turn, until it ends without meeting it. */
  async function atEachStep(hinder: (daemon: Daemon, from: number) => Promise<{ wasMet: boolean; isDone: boolean }>) {
    const expected = await ends();
    let steps = 0;
    for (let wasMet = true; wasMet; steps += 1) {
      const daemon = await appWithCounter();
      await prepare(daemon);
      const hindered = await hinder(daemon, steps);
      wasMet = hindered.wasMet;
      withoutSteps();
      const next = await nextOn(daemon);
      const contents = await contentsOf(next);
      const end = expected.find((each) => each.contents.reset === contents.reset);
      expect(contents, `before step ${steps}`).toEqual(end?.contents);
      if (hindered.isDone) expect(end).toBe(expected[1]);
      expect(() => next.apps.launch('dance')).not.toThrow();
      expect(next.log, `before step ${steps}`).toEqual([]);
      if (end?.back) expect(await undone(next), `before step ${steps}`).toEqual(end.back);
      if (end?.back) expect(await leftIn(next.folder)).toEqual([]);
    }
    expect(steps).toBeGreaterThan(8);
  }

  test('a kill', () =>
    atEachStep(async (daemon, from) => {
      const met = Promise.withResolvers<boolean>();
      beforeSteps((number) => {
        if (number < from) return Promise.resolve();
        met.resolve(true);
        return new Promise(() => {}); // nothing more happens in this daemon
      });
      const wasMet = await Promise.race([met.promise, run(daemon).then(() => false)]);
      return { wasMet, isDone: !wasMet };
    }));

  test.each<[string, string, readonly Step[]]>([
    ['a disk that is full', 'ENOSPC', ['mkdir', 'open']],
    ['a disk that can only be read', 'EROFS', changing],
  ])('%s', (_kind, code, refused) =>
    atEachStep(async (daemon, from) => {
      let wasMet = false;
      beforeSteps(async (number, step) => {
        if (number < from || !refused.includes(step)) return;
        wasMet = true;
        throw failure(code);
      });
      const error: unknown = await run(daemon).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error !== null) expect(error).toBeInstanceOf(StorageError);
      return { wasMet, isDone: error === null };
    }),
  );
});
