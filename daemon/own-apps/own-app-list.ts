import * as z from 'zod';
import { Commit } from '../contract/apps/app-source.ts';
import type { CheckReport, OwnApp, OwnAppRun, OwnApps } from '../contract/apps/own-apps.ts';
import { PublishedSpace } from '../contract/apps/own-apps.ts';
import { Timestamp } from '../contract/common/common.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { lazy } from '../shared/async/lazy.ts';
import { Mutex } from '../shared/async/mutex.ts';
import type { Now } from '../shared/clock.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { OwnAppNotFound } from './errors.ts';
import { type FolderContent, ownAppId, readFolderContent } from './own-app-folder.ts';

/** The list keeps the apps that were used last. */
export const MAX_OWN_APPS = 100;

const StoredOwnApp = z.object({
  /** Links resolved. */
  folder: z.string().min(1),
  usedAt: Timestamp,
  space: PublishedSpace.nullable().default(null),
  /** The commit that was published last. */
  commit: Commit.nullable().default(null),
});
type StoredOwnApp = z.infer<typeof StoredOwnApp>;

/** The stored list, the ones used last first. */
export const StoredOwnApps = z.object({ apps: z.array(StoredOwnApp) });

interface OwnAppListDeps {
  readonly file: string;
  readonly proposedFolder: string;
  readonly canOpen: boolean;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
}

const notRunning: OwnAppRun = { state: 'off', jobId: null, reloads: 0, problem: null, findings: [] };

/** The folders of the apps that the user writes, stored, with what is known of each since the daemon started. */
export class OwnAppList {
  readonly #deps: OwnAppListDeps;
  readonly #saves = new Mutex();
  readonly #contents = new Map<string, FolderContent>();
  readonly #checks = new Map<string, CheckReport>();
  readonly #runs = new Map<string, OwnAppRun>();
  #stored: readonly StoredOwnApp[] = [];

  constructor(deps: OwnAppListDeps) {
    this.#deps = deps;
  }

  /** The list as it was read last. */
  get status(): OwnApps {
    const { proposedFolder, canOpen } = this.#deps;
    return { apps: this.#stored.map((app) => this.#describe(app)), proposedFolder, canOpen };
  }

  /** Reads the stored list once, and the folders in it. */
  readonly load = lazy(async (): Promise<void> => {
    const { file, log } = this.#deps;
    const { value } = await readStoredFile(file, StoredOwnApps, log);
    this.#stored = (value?.apps ?? []).slice(0, MAX_OWN_APPS);
    await this.refreshAll();
  });

  /** Reads all folders again. */
  async refreshAll(): Promise<OwnApps> {
    const before = JSON.stringify(this.status);
    await Promise.all(this.#stored.map(({ folder }) => this.#read(folder)));
    if (JSON.stringify(this.status) !== before) this.#changed();
    return this.status;
  }

  /** Reads the folder of an app again. @throws OwnAppNotFound */
  async refresh(id: string): Promise<OwnApp> {
    const before = JSON.stringify(this.get(id));
    await this.#read(this.get(id).folder);
    if (JSON.stringify(this.get(id)) !== before) this.#changed();
    return this.get(id);
  }

  /** @throws OwnAppNotFound */
  get(id: string): OwnApp {
    const found = this.#stored.find(({ folder }) => ownAppId(folder) === id);
    if (!found) throw new OwnAppNotFound(id);
    return this.#describe(found);
  }

  /** The last publication from a folder; null: nothing from here. */
  publicationOf(folder: string): Pick<StoredOwnApp, 'space' | 'commit'> | null {
    return this.#stored.find((app) => app.folder === folder) ?? null;
  }

  /**
   * Adds a folder as the one used last, or moves it there.
   * @param folder links resolved
   * @throws StorageError; the list is then unchanged
   */
  async use(folder: string): Promise<OwnApp> {
    await this.#read(folder);
    await this.#save((apps) => {
      const { space = null, commit = null } = apps.find((app) => app.folder === folder) ?? {};
      const usedAt = this.#deps.now().toISOString();
      return [{ folder, usedAt, space, commit }, ...apps.filter((app) => app.folder !== folder)].slice(0, MAX_OWN_APPS);
    });
    return this.get(ownAppId(folder));
  }

  /** Removes an app from the list. @throws OwnAppNotFound, StorageError */
  async forget(id: string): Promise<void> {
    const { folder } = this.get(id);
    await this.#save((apps) => apps.filter((app) => app.folder !== folder));
    for (const known of [this.#contents, this.#checks, this.#runs]) known.delete(folder);
  }

  /** Stores what was published from a folder. @throws StorageError */
  async published(folder: string, publication: Pick<StoredOwnApp, 'space' | 'commit'>): Promise<void> {
    await this.#save((apps) => apps.map((app) => (app.folder === folder ? { ...app, ...publication } : app)));
  }

  checked(folder: string, report: CheckReport): void {
    this.#checks.set(folder, report);
    this.#changed();
  }

  runChanged(folder: string, run: OwnAppRun): void {
    this.#runs.set(folder, run);
    this.#changed();
  }

  async #read(folder: string): Promise<void> {
    this.#contents.set(folder, await readFolderContent(folder));
  }

  #describe({ folder, space }: StoredOwnApp): OwnApp {
    const unread: FolderContent = { name: null, title: folder, version: null, emoji: '', icon: null, exists: false };
    return {
      id: ownAppId(folder),
      folder,
      ...(this.#contents.get(folder) ?? unread),
      check: this.#checks.get(folder) ?? null,
      run: this.#runs.get(folder) ?? notRunning,
      space,
    };
  }

  #save(change: (apps: readonly StoredOwnApp[]) => readonly StoredOwnApp[]): Promise<void> {
    return this.#saves.run(async () => {
      const apps = change(this.#stored);
      await writeJsonFile(this.#deps.file, { apps });
      this.#stored = apps;
      this.#changed();
    });
  }

  #changed(): void {
    this.#deps.publish({ type: 'own-apps.changed', ownApps: this.status });
  }
}
