import type { RunStep } from '../apps/python/python-env.ts';
import type { Python } from '../apps/python/python-finder.ts';
import type { FindingSeverity } from '../contract/doctor/installation-check.ts';
import type { Clock } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';

/** The repair of a finding, as data. No repair loses what a user made. */
export type Fix =
  | {
      readonly kind: 'remove';
      readonly paths: readonly string[];
      /** The id of the model file whose parts these are, which a running daemon removes. Absent: they are of no model. */
      readonly modelFile?: string;
    }
  /** Renames the file or folder, and keeps it. */
  | { readonly kind: 'set-aside'; readonly path: string }
  /** Empties the lock file in place: taking the lock does it. */
  | { readonly kind: 'empty-lock' }
  /** Makes the earlier version the live one. */
  | { readonly kind: 'use-previous'; readonly key: string; readonly appName: string }
  /** Gives up an earlier version that no longer works. */
  | { readonly kind: 'forget-previous'; readonly key: string }
  | { readonly kind: 'install-again'; readonly appName: string; readonly url: string }
  | { readonly kind: 'end-orphans' }
  | { readonly kind: 'prune-cache'; readonly uv: string | null; readonly cacheDir: string }
  /** Only a person can do it. */
  | { readonly kind: 'by-hand'; readonly how: string };

/** A problem, or something worth knowing. */
export interface Finding {
  /** A stable code for programs. */
  readonly code: string;
  readonly severity: FindingSeverity;
  /** One sentence. */
  readonly what: string;
  /** A path, an address or a process. */
  readonly where: string;
  readonly fix: Fix;
}

export interface RepairResult {
  readonly code: string;
  readonly where: string;
  readonly done: boolean;
  /** The repair, or why it failed, in one sentence. */
  readonly what: string;
}

/** The inputs of every check. */
export interface CheckContext {
  readonly paths: DataPaths;
  /** Whether a process holds the data folder: its work in progress is not a leftover. */
  readonly isHeld: boolean;
  /** When that process began, ISO; null: none holds it, or it is not known. */
  readonly heldSince: string | null;
  /** The name of the app that runs now; null: none does, or it is not known. */
  readonly runningApp: () => string | null;
  readonly installerDir: string;
  /** The folder of the bundled sample apps. */
  readonly samplesDir: string;
  /** The folder of the bundled SDK. */
  readonly sdkDir: string;
  /** The Python that a daemon would use now; null: none. */
  readonly python: Python | null;
  /** The uv program; null: not installed. */
  readonly uv: string | null;
  /** Runs a program with the environment that installs use. */
  readonly run: RunStep;
  /** Hears what is being checked, in words. */
  readonly onDetail: (text: string) => void;
  readonly clock: Clock;
}

type NewFinding = (code: string, what: string, where: string, fix: Fix) => Finding;
const ofSeverity =
  (severity: FindingSeverity): NewFinding =>
  (code, what, where, fix) => ({ code, severity, what, where, fix });
export const broken = ofSeverity('broken');
export const untidy = ofSeverity('untidy');
export const note = ofSeverity('note');

/** For what only a person can do. @param how in sentences */
export const byHand = (how: string): Fix => ({ kind: 'by-hand', how });
