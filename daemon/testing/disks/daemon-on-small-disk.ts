import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { AppVariable, InstalledApp } from '../../contract/apps/apps.ts';
import type { EndpointPage } from '../../contract/endpoints/endpoint.ts';
import { writeAppPackage } from '../apps/app-packages.ts';
import { type Answer, type CheckedDaemon, type RequestOptions, startCheckedDaemon } from '../daemon/checked-daemon.ts';
import { MODEL, reachedState } from '../daemon/endpoint-api.ts';
import type { startTestDaemon } from '../daemon/test-daemon.ts';
import { writeSmallCatalog } from '../models/small-catalog.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

export const APP = '/api/apps/installed/steady';
export const KEPT = '/v2/endpoint/lab/kept';
const NEEDS = '\n[tool.robot.needs]\nchat = { task = "text-generation", optional = true }\n';

type Options = Parameters<typeof startTestDaemon>[0];

/** The apps, settings and endpoints of a user, as the daemon tells them. */
export interface UsersState {
  readonly apps: readonly {
    readonly name: string;
    readonly version: string;
    readonly pinned: boolean;
    /** The endpoints of its needs. */
    readonly assigned: readonly (string | null)[];
  }[];
  readonly variables: readonly AppVariable[];
  /** Their names and states. */
  readonly endpoints: readonly string[];
  readonly startupApp: string | null;
}

/**
 * A daemon in the process of the test on a small disk, with what a full or read-only disk must not take from a user: the app
 * `steady` with a secret variable and a need, and the endpoint `kept`, which has failed and so changes no more by itself.
 */
export class DaemonOnSmallDisk implements AsyncDisposable {
  readonly disk: SmallDisk;
  /** A folder on another disk. */
  readonly sources: string;
  readonly #options: Options;
  readonly #moves: string | Uint8Array;
  #checked: CheckedDaemon | undefined;
  /** Silent: the output of the tests would hold each write that fails. */
  readonly #logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);

  /** @param moves a file of each app that `packageOf` writes, which makes it large */
  static async begin(
    megabytes: number,
    options: Options = {},
    moves: string | Uint8Array = '',
  ): Promise<DaemonOnSmallDisk> {
    const disk = (await smallDisk(megabytes)) ?? expect.fail('no disk may be mounted here');
    const sources = await mkdtemp(join(tmpdir(), 'robot-desktop-sources-'));
    const catalogFile = await writeSmallCatalog(sources);
    const begun = new DaemonOnSmallDisk(disk, sources, { dataDir: disk.dataDir, catalogFile, ...options }, moves);
    await begun.open();
    expect(await begun.daemon.install(await begun.packageOf('steady', '1.0.0'))).toMatchObject({
      state: 'done',
    });
    await begun.done('PUT', `${APP}/variables/KEY`, { body: { value: 'first', secret: true } });
    await begun.done('POST', MODEL, { body: { namespace: 'lab', config: { name: 'kept' } } });
    await reachedState(begun.checked, KEPT, 'failed'); // nothing runs it here
    return begun;
  }

  private constructor(disk: SmallDisk, sources: string, options: Options, moves: string | Uint8Array) {
    this.#moves = moves;
    this.disk = disk;
    this.sources = sources;
    this.#options = options;
  }

  get checked(): CheckedDaemon {
    return this.#checked as CheckedDaemon;
  }

  get daemon() {
    return this.checked.daemon;
  }

  /** Starts the daemon, after a stop of the one before. */
  async open(): Promise<void> {
    this.#checked = await startCheckedDaemon(this.#options);
  }

  ask(...request: Parameters<CheckedDaemon['ask']>): Promise<Answer> {
    return this.checked.ask(...request);
  }

  /** @returns the body of an answer with 200 */
  async done(method: string, path: string, options?: RequestOptions): Promise<Answer['body']> {
    const { status, body } = await this.ask(method, path, options);
    expect({ method, path, status, body }).toMatchObject({ status: 200 });
    return body;
  }

  /** Writes an app's package outside the disk. @returns its folder */
  packageOf(name: string, version: string): Promise<string> {
    const files = { [`${name}/moves.bin`]: this.#moves };
    return writeAppPackage(join(this.sources, name), { name, version, files, pyproject: (text) => text + NEEDS });
  }

  async state(): Promise<UsersState> {
    const apps: InstalledApp[] = await this.done('GET', '/api/apps/list');
    const { items }: EndpointPage = await this.done('GET', '/v2/endpoint/lab');
    const hasApp = apps.some(({ name }) => name === 'steady');
    return {
      apps: apps.map(({ name, version, pinned, needs }) => ({
        ...{ name, version, pinned, assigned: needs.map(({ endpoint }) => endpoint?.name ?? null) },
      })),
      variables: hasApp ? await this.done('GET', `${APP}/variables`) : [],
      endpoints: items.map(({ name, status }) => `${name} ${status.state}`),
      startupApp: (await this.done('GET', '/api/apps/startup-app')).startupApp,
    };
  }

  /** Every record can be read, none was set aside, and nothing unfinished is left. */
  async isWhole(): Promise<void> {
    const { dataDir } = this.disk;
    for (const folder of ['', 'endpoints', 'apps/steady', 'apps/other'].map((path) => join(dataDir, path))) {
      const names = () => readdir(folder).catch(() => []);
      // The records of jobs are still being written when their end is known: that draft goes, one left behind stays.
      await vi.waitFor(async () => expect(await names()).not.toContainEqual(expect.stringMatching(/\.json\.\d+$/)));
      for (const name of await names()) {
        expect(name).not.toMatch(/\.damaged/);
        if (name.endsWith('.json')) JSON.parse(await readFile(join(folder, name), 'utf8'));
      }
    }
    expect((await readFile(join(dataDir, 'secret-key'), 'utf8')).length).toBe(43);
    // A reset that is undone is freed in the background.
    await vi.waitFor(async () => expect(await readdir(join(dataDir, 'work'))).toEqual([]));
    expect(await this.daemon.children()).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#logged.mockRestore();
    for (const each of [this.#checked, this.disk]) await each?.[Symbol.asyncDispose]();
    await rm(this.sources, { recursive: true, force: true });
  }
}
