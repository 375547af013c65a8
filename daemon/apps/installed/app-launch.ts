import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppRun } from '../../contract/apps/runs.ts';

/** The launch parameters of an app. */
export interface AppLaunch {
  readonly app: InstalledApp;
  readonly python: string;
  /** The working directory of its runs, kept over updates. */
  readonly workDir: string;
  /** Its author's folder, when it runs from there; default: what was installed runs. */
  readonly folder?: FolderLaunch;
}

/** A run of an app from its author's folder. */
interface FolderLaunch {
  /** The folder that holds its package; the first one on the import path. */
  readonly importRoot: string;
  /** Called when the run is over, before the slot is free or passed on. Must not throw. */
  readonly onOver: (end: RunEnd) => void;
}

export interface RunEnd {
  /** null: it was not started. */
  readonly run: AppRun | null;
  readonly stopAsked: boolean;
  /** Whether it was stopped to be started again in the same way. */
  readonly goesOn: boolean;
}

/** An app that can be started. It is found again at each step of a start: it may have been updated or removed meanwhile. */
export interface AppToStart {
  readonly appName: string;
  /** @throws AppNotInstalled */
  readonly find: () => AppLaunch;
}
