import { dirname } from 'node:path';
import { AppNameUnusable, DestinationReadOnly } from '../assistant/errors.ts';
import type { Publication } from '../assistant/publish/publish-app.ts';
import type {
  CheckFinding,
  CheckReport,
  NewOwnApp,
  OwnApp,
  OwnApps,
  PublicationPreview,
  PublishRequest,
} from '../contract/apps/own-apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { visibleText } from '../shared/display-text.ts';
import { createFolder } from '../shared/files/make-folder.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { NotSignedInToHub, OwnAppFolderGone, OwnAppIsRunning, WindowsNotShown } from './errors.ts';
import { existingFolder, fileInFolder, isProgram } from './own-app-folder.ts';
import { checkInJob, type FolderWork, publishInJob } from './own-app-jobs.ts';
import type { OwnAppList } from './own-app-list.ts';
import type { FolderRuns } from './run/folder-runs.ts';

interface PublishHow {
  readonly token: string;
  /** The last publication from here; null: nothing. */
  readonly last: { readonly id: string; readonly commit?: string } | null;
}

/** Creates, checks and publishes apps; see daemon/assistant. */
export interface OwnAppTools {
  /** @throws the errors of `createApp` */
  readonly create: (wanted: NewOwnApp) => Promise<{ readonly folder: string }>;
  readonly quickCheck: (folder: string, signal: AbortSignal) => Promise<CheckReport>;
  readonly fullCheck: (folder: string) => Promise<FolderWork<CheckReport>>;
  readonly fix: (folder: string, findings: readonly CheckFinding[]) => Promise<readonly string[]>;
  readonly preview: (
    folder: string,
    choices: PublishRequest,
    how: PublishHow & { readonly signal: AbortSignal },
  ) => Promise<PublicationPreview>;
  readonly publish: (folder: string, choices: PublishRequest, how: PublishHow) => Promise<FolderWork<Publication>>;
}

interface OwnAppsDeps {
  readonly list: OwnAppList;
  readonly runs: FolderRuns;
  readonly tools: OwnAppTools;
  readonly jobs: JobQueue;
  /** The token of the account that is signed in to the hub; null: none. */
  readonly hubToken: () => Promise<string | null>;
  /** Shows a file or a folder in a window of this machine; null: no window can be shown. */
  readonly opener: ((path: string) => Promise<void>) | null;
  /** @throws StorageError when the data folder takes nothing */
  readonly requireRoom: () => Promise<void>;
  /** Called after a publication, which changes what the store lists. */
  readonly onPublished: () => void;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const QUICK_CHECK_MS = 30_000;
const PREVIEW_MS = 60_000;

/** The apps that the user writes: their list, their checks and publications, and their runs with reload. */
export class OwnAppsService {
  readonly #deps: OwnAppsDeps;

  constructor(deps: OwnAppsDeps) {
    this.#deps = deps;
  }

  /** The list as it was read last. */
  get status(): OwnApps {
    return this.#deps.list.status;
  }

  /** Reads the stored list. Logs failures. */
  async load(): Promise<void> {
    const { list, log } = this.#deps;
    await list.load().catch((error: unknown) => log.error('own-apps: the list could not be read', error));
  }

  /** Ends the watch of the app that runs from its folder. */
  async close(): Promise<void> {
    await this.#deps.runs.close();
  }

  /** The list, with its folders read again. */
  async list(): Promise<OwnApps> {
    const { list } = this.#deps;
    await list.load();
    return list.refreshAll();
  }

  /**
   * Creates an app from a template, and adds it to the list. The proposed folder need not exist.
   * @throws InvalidBody, FolderNotFound, AppFolderExists, StorageError
   */
  async create(wanted: NewOwnApp): Promise<OwnApp> {
    const { list, tools, requireRoom } = this.#deps;
    await list.load();
    await requireRoom(); // before anything is created that could not be listed
    if (wanted.destination === list.status.proposedFolder) {
      await createFolder(wanted.destination).catch((error: unknown) => throwRefusal(error, wanted.destination));
    }
    const destination = await existingFolder(wanted.destination, 'destination');
    const { folder } = await tools
      .create({ ...wanted, destination })
      .catch((error: unknown) => throwRefusal(error, destination));
    return list.use(folder);
  }

  /** Adds an existing folder to the list, or moves it to its beginning. @throws InvalidBody, FolderNotFound, StorageError */
  async add(path: string): Promise<OwnApp> {
    const { list } = this.#deps;
    await list.load();
    return list.use(await existingFolder(path, 'folder'));
  }

  /** Removes an app from the list; its folder stays. @throws OwnAppNotFound, OwnAppIsRunning, StorageError */
  async forget(id: string): Promise<OwnApps> {
    const { list, runs } = this.#deps;
    await list.load();
    const { folder, title } = list.get(id);
    if (runs.isActive(folder)) throw new OwnAppIsRunning(title);
    await list.forget(id);
    return list.status;
  }

  /** Checks an app, also by building and loading it. @returns the job @throws OwnAppNotFound, OwnAppFolderGone, TooManyJobs */
  async check(id: string): Promise<Job> {
    const { list, tools, jobs } = this.#deps;
    const app = await this.#existing(id);
    const keep = (report: CheckReport) => list.checked(app.folder, report);
    return checkInJob(app, await tools.fullCheck(app.folder), { jobs, keep });
  }

  /** Repairs what the last check calls fixable, and checks again without a build. @throws OwnAppNotFound, OwnAppFolderGone */
  async fix(id: string): Promise<OwnApp> {
    const { list, tools, clock } = this.#deps;
    const { folder, check } = await this.#existing(id);
    const quickCheck = () => tools.quickCheck(folder, clock.timeout(QUICK_CHECK_MS));
    const { findings } = check ?? (await quickCheck());
    await tools.fix(
      folder,
      findings.filter(({ fixable }) => fixable),
    );
    list.checked(folder, await quickCheck());
    return list.refresh(id);
  }

  /** @throws OwnAppNotFound, OwnAppFolderGone, NotSignedInToHub, TokenReadOnly, NotPublishable, HubError */
  async preview(id: string): Promise<PublicationPreview> {
    const { folder } = await this.#existing(id);
    const { tools, clock } = this.#deps;
    const how = await this.#publishHow(folder);
    return tools.preview(folder, {}, { ...how, signal: clock.timeout(PREVIEW_MS) });
  }

  /** Publishes an app, or updates it. @returns the job @throws OwnAppNotFound, OwnAppFolderGone, NotSignedInToHub, TooManyJobs */
  async publish(ownAppId: string, choices: PublishRequest): Promise<Job> {
    const { list, tools, jobs, dataDir, onPublished } = this.#deps;
    const app = await this.#existing(ownAppId);
    const work = await tools.publish(app.folder, choices, await this.#publishHow(app.folder));
    const keep = async ({ id, url, private: isPrivate, version, publishedAt, commit }: Publication) => {
      onPublished();
      const space = { id, url, private: isPrivate, version, publishedAt };
      await list.published(app.folder, { space, commit });
      await list.refreshAll(); // its version may have been raised
    };
    return publishInJob(app, work, { jobs, keep, dataDir });
  }

  /**
   * Runs an app from its folder, and starts it anew when a file changes. Returns at once.
   * @throws OwnAppNotFound, OwnAppFolderGone, AppAlreadyRunning
   */
  async run(id: string, { replace = false }: { readonly replace?: boolean | undefined }): Promise<OwnApp> {
    const { list, runs, log } = this.#deps;
    const { folder } = await this.#existing(id);
    await runs.run(folder, { replace });
    await list.use(folder).catch((error: unknown) => log.error('own-apps: the last use could not be saved', error));
    return list.get(id);
  }

  /** Stops an app that runs from its folder; settles once it has ended. @throws OwnAppNotFound */
  async stop(id: string): Promise<OwnApp> {
    const { list, runs } = this.#deps;
    await list.load();
    await runs.stop(list.get(id).folder);
    return list.get(id);
  }

  /**
   * Shows an app's folder, or one of its files, in a window of this machine.
   * @param file with slashes from the folder; null: the folder
   * @param caller.isHere whether the caller sees this machine's windows
   * @throws OwnAppNotFound, OwnAppFolderGone, FileNotInFolder, WindowsNotShown
   */
  async open(id: string, file: string | null, { isHere }: { readonly isHere: boolean }): Promise<{ opened: string }> {
    const { opener } = this.#deps;
    const { folder } = await this.#existing(id);
    if (!opener) throw new WindowsNotShown('The daemon runs where no window can be shown.');
    if (!isHere)
      throw new WindowsNotShown('Windows open on the machine of the daemon, and this request came from another.');
    const path = file === null ? folder : await fileInFolder(folder, file);
    const opened = isProgram(path, process.platform) ? dirname(path) : path;
    await opener(opened).catch((error: Error) => {
      throw new WindowsNotShown(`${opened} could not be opened: ${error.message}.`);
    });
    return { opened };
  }

  async #existing(id: string): Promise<OwnApp> {
    const { list } = this.#deps;
    await list.load();
    const app = await list.refresh(id);
    if (!app.exists) throw new OwnAppFolderGone(app.folder);
    return app;
  }

  async #publishHow(folder: string): Promise<PublishHow> {
    const { hubToken, list } = this.#deps;
    const token = await hubToken();
    if (token === null) throw new NotSignedInToHub();
    const { space, commit } = list.publicationOf(folder) ?? {};
    return { token, last: space ? { id: space.id, ...(commit && { commit }) } : null };
  }
}

const forbidden: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Names the field of a request that keeps an app from being created. @throws InvalidBody, or the error itself */
function throwRefusal(error: unknown, destination: string): never {
  if (error instanceof AppNameUnusable) throw refused('name', error.message);
  if (error instanceof DestinationReadOnly) throw refused('destination', error.message);
  if (!forbidden.has((error as NodeJS.ErrnoException).code)) throw error;
  throw refused('destination', `Your user may not create ${visibleText(destination)}. Choose another folder.`);
}

function refused(field: string, message: string): InvalidBody {
  return new InvalidBody(message, [{ path: [field], message }]);
}
