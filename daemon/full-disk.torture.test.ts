/**
 * A disk that fills: at each level every change is made whole or refused with the sentence of a full disk, and what stood
 * before stands after. `TORTURE_PAGES` tries every level from 0 to that many free pages, and every level at which an install
 * ends on its way, instead of seeded ones.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { InstalledApp } from './contract/apps/apps.ts';
import { writeAppPackage } from './testing/apps/app-packages.ts';
import { type Answer, type CheckedDaemon, startCheckedDaemon } from './testing/daemon/checked-daemon.ts';
import { reachedState } from './testing/daemon/endpoint-api.ts';
import { mayMount, type SmallDisk, smallDisk } from './testing/daemon/small-disk.ts';
import { writeSmallCatalog } from './testing/models/small-catalog.ts';
import { seededRandom } from './testing/seeded-random.ts';

const { TORTURE_PAGES, TORTURE_SEED = '20261122' } = process.env;
const LIMIT_MS = TORTURE_PAGES === undefined ? 120_000 : 24 * 60 * 60_000;
const DISK_MB = 64;
const PAGE = 4_096;
/** The space that an install reserves for other programs, in pages; see disk-guard.ts. */
const RESERVE = Math.ceil((DISK_MB * 2 ** 20 * 0.05) / PAGE);
/** The size of an app, which an install writes three times: its copy, its wheel, its files. */
const APP_PAGES = 300;
const DEPLOY = '/api/v1/catalog/model/ada/Tiny-GGUF/deploy';
const APP = '/api/apps/installed/steady';

const moves = randomBytes(APP_PAGES * PAGE);

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: a disk that fills, because no disk may be mounted here');

/** The free pages of each level: few for records, which take one or two each; many for installs. */
function levels(): { readonly pages: number; readonly starts: boolean; readonly installs: boolean }[] {
  if (TORTURE_PAGES !== undefined) {
    const few = Array.from({ length: Number(TORTURE_PAGES) + 1 }, (_, pages) => ({
      pages,
      starts: true,
      installs: pages % 16 === 0,
    }));
    const many = Array.from({ length: 4 * APP_PAGES }, (_, step) => ({
      pages: RESERVE + step,
      starts: false,
      installs: true,
    }));
    return [...few, ...many];
  }
  const random = seededRandom(Number(TORTURE_SEED));
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: 25 }, (_, turn) => {
    if (turn % 5 === 4) return { pages: RESERVE + below(5 * APP_PAGES), starts: false, installs: true };
    return { pages: turn === 0 ? 0 : below(turn % 5 === 3 ? RESERVE : 12), starts: turn % 8 === 0, installs: true };
  });
}

describe.skipIf(!mounts)('a disk that fills', () => {
  let disk: SmallDisk;
  let sources: string;
  let checked: CheckedDaemon;

  const open = async () =>
    startCheckedDaemon({
      dataDir: disk.dataDir,
      catalogFile: join(sources, 'small-catalog.json'),
      wakeUpOnStart: true,
    });
  const ask: CheckedDaemon['ask'] = (...request) => checked.ask(...request);
  const done = (answer: Answer) => expect(answer).toMatchObject({ status: 200 });
  /** Writes an app's package outside the disk. */
  const needs = '\n[tool.robot.needs]\nchat = { task = "text-generation", optional = true }\n';
  const packageOf = (name: string, version: string) =>
    writeAppPackage(join(sources, name), {
      ...{ name, version, files: { [`${name}/moves.bin`]: moves } },
      pyproject: (text) => text + needs,
    });

  const logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true); // what could not be saved

  beforeAll(async () => {
    disk = (await smallDisk(DISK_MB)) as SmallDisk;
    sources = await mkdtemp(join(tmpdir(), 'robot-desktop-full-'));
    await writeSmallCatalog(sources);
    checked = await open();
    expect(await checked.daemon.install(await packageOf('steady', '1.0.0'))).toMatchObject({ state: 'done' });
    done(await ask('PUT', `${APP}/variables/KEY`, { body: { value: 'first', secret: true } }));
    done(await ask('PUT', `${APP}/variables/ROOM`, { body: { value: 'kitchen', secret: false } }));
    done(await ask('POST', DEPLOY, { body: { namespace: 'lab', config: { name: 'kept' } } }));
    await reachedState(checked, '/v2/endpoint/lab/kept', 'failed'); // nothing runs it here: it changes no more by itself
    await vi.waitFor(async () => expect(await checked.daemon.robot()).toMatchObject({ state: 'awake' }));
  });
  afterAll(async () => {
    logged.mockRestore();
    await checked?.[Symbol.asyncDispose]();
    await disk?.[Symbol.asyncDispose]();
    if (sources) await rm(sources, { recursive: true, force: true });
  });

  const filler = () => join(disk.dir, 'filler');
  async function leave(pages: number): Promise<void> {
    await rm(filler(), { force: true });
    const { bavail, bsize } = await statfs(disk.dir);
    await writeFile(filler(), Buffer.alloc(Math.max(0, (bavail - pages) * bsize)));
  }

  /** Everything that a user made, as the daemon tells it. */
  async function state() {
    const apps = ((await ask('GET', '/api/apps/list')).body as InstalledApp[]).map((app) => {
      const { name, version, pinned, needs } = app;
      return { name, version, pinned, assigned: needs.map(({ endpoint }) => endpoint?.name ?? null) };
    });
    const endpoints = (await ask('GET', '/v2/endpoint/lab')).body.items as {
      name: string;
      status: { state: string };
    }[];
    return {
      apps,
      variables: (await ask('GET', `${APP}/variables`)).body,
      endpoints: endpoints.map((endpoint) => `${endpoint.name} ${endpoint.status.state}`),
      startupApp: (await ask('GET', '/api/apps/startup-app')).body.startupApp,
    };
  }

  /** Every record can be read, none was set aside, and no draft is left. */
  async function recordsAreWhole(): Promise<void> {
    const folders = ['', 'endpoints', 'apps/steady', 'apps/other'].map((folder) => join(disk.dataDir, folder));
    for (const folder of folders) {
      const names = () => readdir(folder).catch(() => []);
      // The records of jobs are still being written when their end is known: that draft goes, one left behind stays.
      await vi.waitFor(async () => expect(await names()).not.toContainEqual(expect.stringMatching(/\.json\.\d+$/)));
      for (const name of await names()) {
        expect(name).not.toMatch(/\.damaged/);
        if (name.endsWith('.json')) JSON.parse(await readFile(join(folder, name), 'utf8'));
      }
    }
    expect((await readFile(join(disk.dataDir, 'secret-key'), 'utf8')).length).toBe(43);
  }

  /** Expects a change that was made, or refused for the disk. @returns whether it was made */
  function isMade({ status, body }: Answer): boolean {
    if (status === 200) return true;
    expect({ status, body }).toEqual({
      status: 507,
      body: { error: expect.stringContaining(`The disk of ${disk.dataDir}`), code: 'disk-full' },
    });
    expect(body.error).toMatch(/is full[.] Free some space on it .*, then try again[.]$/);
    return false;
  }
  /** @returns whether the app was installed */
  async function isInstalled(name: string, version: string): Promise<boolean> {
    const { state: end, failure } = await checked.daemon.install(await packageOf(name, version));
    if (end === 'done') return true;
    expect({ end, failure }).toMatchObject({
      end: 'failed',
      failure: { reason: 'disk-full', message: expect.stringContaining(`The disk of ${disk.dataDir}`) },
    });
    return false;
  }

  test(`every change is whole or refused, with TORTURE_SEED=${TORTURE_SEED}`, { timeout: LIMIT_MS }, async () => {
    const random = seededRandom(Number(TORTURE_SEED));
    const made = { changes: 0, refusals: 0 };
    let expected = await state();
    const count = (isDone: boolean) => {
      made[isDone ? 'changes' : 'refusals'] += 1;
      return isDone;
    };
    for (const [turn, { pages, starts, installs }] of levels().entries()) {
      await leave(pages);
      // Long and short values: a record takes one page or several.
      const value = 'x'.repeat(Math.floor(random() * 3 * PAGE));
      if (count(isMade(await ask('PUT', `${APP}/variables/ROOM`, { body: { value, secret: false } })))) {
        const variables = expected.variables.map((each: { name: string }) =>
          each.name === 'ROOM' ? { ...each, value } : each,
        );
        expected = { ...expected, variables };
      }
      count(isMade(await ask('PUT', `${APP}/variables/KEY`, { body: { value, secret: true } })));
      const isAssigned = turn % 3 === 0;
      const endpoint = isAssigned ? { namespace: 'lab', name: 'kept' } : null;
      if (count(isMade(await ask('PUT', `${APP}/needs/chat`, { body: { endpoint } })))) {
        const assigned = [isAssigned ? 'kept' : null];
        const apps = expected.apps.map((app) => (app.name === 'steady' ? { ...app, assigned } : app));
        expected = { ...expected, apps };
      }
      const pinned = turn % 2 === 0;
      if (count(isMade(await ask('PUT', `${APP}/pin`, { body: { pinned } })))) {
        expected = {
          ...expected,
          apps: expected.apps.map((app) => (app.name === 'steady' ? { ...app, pinned } : app)),
        };
      }
      const startupApp = turn % 2 === 0 ? 'steady' : null;
      if (count(isMade(await ask('PUT', '/api/apps/startup-app', { body: { startupApp } })))) {
        expected = { ...expected, startupApp };
      }
      const name = `level-${turn}`;
      if (count(isMade(await ask('POST', DEPLOY, { body: { namespace: 'lab', config: { name } } })))) {
        count(isMade(await ask('POST', `/v2/endpoint/lab/${name}/pause`)));
        done(await ask('DELETE', `/v2/endpoint/lab/${name}`)); // takes no space
      }
      if (starts && count(isMade(await ask('POST', '/api/apps/start-app/steady')))) {
        done(await ask('POST', '/api/apps/stop-current-app'));
      }
      if (installs) {
        const app = turn % 2 === 0 ? 'other' : 'steady';
        const before = expected.apps.find((each) => each.name === app);
        if (before?.pinned) await ask('PUT', `${APP}/pin`, { body: { pinned: false } });
        expected = { ...expected, apps: (await state()).apps };
        const stillPinned = expected.apps.find((each) => each.name === app)?.pinned;
        const version = `1.0.${turn + 1}`;
        if (!stillPinned && count(await isInstalled(app, version))) {
          const others = expected.apps.filter((each) => each.name !== app);
          const assigned = before?.assigned ?? [null];
          const installed = { name: app, version, pinned: false, assigned };
          const apps = [...others, installed].sort((a, b) => (a.name < b.name ? -1 : 1));
          expected = { ...expected, apps };
        }
      }
      expect(await state()).toEqual(expected);
      await recordsAreWhole();
      expect(await readdir(join(disk.dataDir, 'work'))).toEqual([]);
    }
    expect(made.changes).toBeGreaterThan(20);
    expect(made.refusals).toBeGreaterThan(20);

    // All of it is on the disk.
    await rm(filler());
    done(await ask('PUT', '/api/apps/startup-app', { body: { startupApp: null } }));
    expected = { ...expected, startupApp: null };
    await leave(0);
    await checked.daemon.stop();
    await rm(filler());
    checked = await open();
    expect(await state()).toEqual(expected);
    done(await ask('POST', '/api/apps/start-app/steady'));
    done(await ask('POST', '/api/apps/stop-current-app'));
  });

  test('what frees space takes none: endpoints, variables and apps can be removed from a full disk', async () => {
    done(await ask('PUT', '/api/apps/startup-app', { body: { startupApp: 'steady' } }));
    await rm(join(disk.dataDir, 'work'), { recursive: true, force: true });
    await leave(0);
    done(await ask('DELETE', '/v2/endpoint/lab/kept'));
    // Other file systems need a page for a folder, which this one does not: it has no room for another file or folder.
    const { files, ffree } = await statfs(disk.dir);
    await execa('mount', ['-o', `remount,nr_inodes=${files - ffree}`, disk.dir]);
    await expect(mkdir(join(disk.dataDir, 'work'))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await ask('DELETE', APP)).toMatchObject({ status: 200 });
    const { apps, startupApp } = await state();
    expect(apps.map(({ name }) => name)).not.toContain('steady');
    expect(startupApp).toBeNull();
  });
});
