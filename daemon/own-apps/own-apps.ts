import { dirname } from 'node:path';
import type { IconPicture } from '../app-package/icon/icon-picture.ts';
import { readIcon } from '../app-package/icon/package-icon.ts';
import type { CheckDeps } from '../assistant/check/check-deps.ts';
import { AppNameUnusable, DestinationReadOnly } from '../assistant/errors.ts';
import type { PublishDeps } from '../assistant/publish/publish-app.ts';
import type { NewOwnApp, OwnApp, OwnApps, PublicationPreview, PublishRequest } from '../contract/apps/own-apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { HubClient } from '../hub/hub-client.ts';
import type { JobPlan, JobQueue } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { visibleText } from '../shared/display-text.ts';
import { createFolder } from '../shared/files/make-folder.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { NotSignedInToHub, OwnAppFolderGone, OwnAppIsRunning, WindowsNotShown } from './errors.ts';
import { problemsFound, publishFailure } from './job-failures.ts';
import { existingFolder, fileInFolder, isProgram } from './own-app-folder.ts';
import type { OwnAppList } from './own-app-list.ts';
import type { FolderRuns } from './run/folder-runs.ts';

interface OwnAppsDeps {
  readonly list: OwnAppList;
  readonly runs: FolderRuns;
  readonly jobs: JobQueue;
  readonly checkDeps: CheckDeps;
  /** Holds a folder for each template of an app. */
  readonly templatesDir: string;
  readonly hub: HubClient;
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

/** Loaded on request. */
const checks = () => import('../assistant/check/check-own-app.ts');
const publications = () => import('../assistant/publish/publish-app.ts');

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
    const { list, requireRoom, templatesDir } = this.#deps;
    const { createApp } = await import('../assistant/create/create-app.ts');
    await list.load();
    await requireRoom(); // before anything is created that could not be listed
    if (wanted.destination === list.status.proposedFolder) {
      await createFolder(wanted.destination).catch((error: unknown) => throwRefusal(error, wanted.destination));
    }
    const destination = await existingFolder(wanted.destination, 'destination');
    const { folder } = await createApp({ ...wanted, destination }, { templatesDir }).catch((error: unknown) =>
      throwRefusal(error, destination),
    );
    return list.use(folder);
  }

  /** Adds an existing folder to the list, or moves it to its beginning. @throws InvalidBody, FolderNotFound, StorageError */
  async add(path: string): Promise<OwnApp> {
    const { list } = this.#deps;
    await list.load();
    return list.use(await existingFolder(path, 'folder'));
  }

  /** The icon in the folder of an app. @throws OwnAppNotFound, NoIconToShow */
  async icon(id: string): Promise<IconPicture> {
    const { list } = this.#deps;
    await list.load();
    return readIcon(list.get(id).folder);
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
    const { list, checkDeps } = this.#deps;
    const app = await this.#existing(id);
    const { checkSteps, fullCheck } = await checks();
    return this.#inJob('check-app', app, checkSteps, async (progress) => {
      const report = await fullCheck(app.folder, checkDeps, progress);
      list.checked(app.folder, report);
      const problems = report.findings.filter(({ severity }) => severity === 'problem');
      if (problems.length > 0) throw problemsFound(problems);
    });
  }

  /** Repairs what the last check calls fixable, and checks again without a build. @throws OwnAppNotFound, OwnAppFolderGone */
  async fix(id: string): Promise<OwnApp> {
    const { list, checkDeps, clock } = this.#deps;
    const { folder, check } = await this.#existing(id);
    const { fixFindings, quickCheck } = await checks();
    const checkNow = () => quickCheck(folder, checkDeps, clock.timeout(QUICK_CHECK_MS));
    const { findings } = check ?? (await checkNow());
    const fixable = findings.filter((finding) => finding.fixable);
    await fixFindings(folder, fixable);
    list.checked(folder, await checkNow());
    return list.refresh(id);
  }

  /** @throws OwnAppNotFound, OwnAppFolderGone, NotSignedInToHub, TokenReadOnly, NotPublishable, HubError */
  async preview(id: string): Promise<PublicationPreview> {
    const { folder } = await this.#existing(id);
    const deps = await this.#publishDeps(folder);
    const { previewPublication } = await publications();
    return previewPublication(folder, {}, deps, this.#deps.clock.timeout(PREVIEW_MS));
  }

  /** Publishes an app, or updates it. @returns the job @throws OwnAppNotFound, OwnAppFolderGone, NotSignedInToHub, TooManyJobs */
  async publish(ownAppId: string, choices: PublishRequest): Promise<Job> {
    const { list, dataDir, onPublished } = this.#deps;
    const app = await this.#existing(ownAppId);
    const deps = await this.#publishDeps(app.folder);
    const { publishApp, publishSteps } = await publications();
    return this.#inJob('publish-app', app, publishSteps, async (progress) => {
      const published = await publishApp(app.folder, choices, deps, progress).catch((error: unknown) => {
        throw progress.signal.aborted ? error : publishFailure(error, dataDir);
      });
      onPublished();
      const { commit, hasRemote: _, ...space } = published;
      await list.published(app.folder, { space, commit });
      await list.refreshAll(); // its version may have been raised
    });
  }

  /**
   * Runs an app from its folder, and starts it again when a file changes. Returns at once.
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

  async #publishDeps(folder: string): Promise<PublishDeps> {
    const { hub, hubToken, list, checkDeps } = this.#deps;
    const token = await hubToken();
    if (token === null) throw new NotSignedInToHub();
    const { space, commit } = list.publicationOf(folder) ?? {};
    const { fixFindings, quickCheck } = await checks();
    return {
      hub,
      token,
      environment: checkDeps.childEnvironment,
      check: (path, signal) => quickCheck(path, checkDeps, signal),
      fix: fixFindings,
      last: space ? { id: space.id, ...(commit && { commit }) } : null,
    };
  }

  /** Adds long work on an app's folder to the jobs. */
  async #inJob(
    kind: Job['kind'],
    { folder, name }: OwnApp,
    steps: JobPlan['steps'],
    work: JobPlan['work'],
  ): Promise<Job> {
    const { jobs } = this.#deps;
    const job = jobs.add({ kind, subject: folder, appName: name, steps, work });
    await jobs.saved();
    return job;
  }
}

const forbidden: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Names the field of a request that keeps an app from being created. @throws InvalidBody, or the error itself */
function throwRefusal(error: unknown, destination: string): never {
  const refuse = (field: string, message: string): never => {
    throw new InvalidBody(message, [{ path: [field], message }]);
  };
  if (error instanceof AppNameUnusable) return refuse('name', error.message);
  if (error instanceof DestinationReadOnly) return refuse('destination', error.message);
  if (!forbidden.has((error as NodeJS.ErrnoException).code)) throw error;
  return refuse('destination', `Your user may not create ${visibleText(destination)}. Choose another folder.`);
}
