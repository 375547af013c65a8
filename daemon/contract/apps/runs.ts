import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';
import { AppName } from './app-source.ts';
import { CrashDiagnosis } from './diagnosis.ts';

/** A process of a run, for a person: its command line, shortened, without secrets. */
export const AppProcessInfo = named('AppProcessInfo', { pid: z.int(), command: z.string() });
export type AppProcessInfo = z.infer<typeof AppProcessInfo>;

/** How a run ended. `killed`: it did not end within the grace period of a stop. */
export const RunOutcome = z.enum(['finished', 'stopped', 'killed', 'crashed']);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** One finished run. */
export const AppRun = named('AppRun', {
  runId: z.string(),
  appName: AppName,
  startedAt: Timestamp,
  endedAt: Timestamp,
  outcome: RunOutcome,
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  /** The outcome, in one sentence. */
  message: z.string(),
  /** Why it crashed; null: it did not crash. */
  diagnosis: CrashDiagnosis.nullable().default(null),
  /** The version of the app that ran. */
  version: z.string().default(''),
  /** The processes that were killed because they did not end by themselves. */
  killed: z.array(AppProcessInfo).default([]),
});
export type AppRun = z.infer<typeof AppRun>;

/** A run that crashed, and whether a person has seen that. */
export const AppCrash = named('AppCrash', { run: AppRun, seen: z.boolean() });
export type AppCrash = z.infer<typeof AppCrash>;

const OutputStream = z.enum(['stdout', 'stderr']);

/** One line of an app's output. `number` counts from 1 within a run. */
export const OutputLine = named('OutputLine', {
  number: z.int(),
  stream: OutputStream,
  text: z.string(),
  /** Whether the line was cut because of its length. */
  truncated: z.boolean(),
  at: Timestamp,
});
export type OutputLine = z.infer<typeof OutputLine>;

/** A page of the newest output of the current run, in memory, or of the last one while the slot is free. */
export const OutputPage = named('OutputPage', {
  /** null: no app has run since the daemon started. */
  runId: z.string().nullable(),
  appName: AppName.nullable(),
  /** The number of the oldest line still there. */
  firstKept: z.int(),
  /** The number of the newest line; 0: none. */
  last: z.int(),
  lines: z.array(OutputLine),
});
export type OutputPage = z.infer<typeof OutputPage>;

/** A page of everything that is kept of a run's output. */
export const RunOutputPage = OutputPage.extend({
  runId: z.string(),
  appName: AppName,
  /** The number of lines kept. Fewer than `last`: the oldest of a long output go, and a flood is not kept whole. */
  kept: z.int(),
  /** How many of them match the query, on all pages. */
  matches: z.int(),
  /** How many of those come before this page. */
  before: z.int(),
}).meta({ id: 'RunOutputPage' });
export type RunOutputPage = z.infer<typeof RunOutputPage>;

/** The kept output of a run as a file for people. */
export const RunOutputFile = named('RunOutputFile', { name: z.string(), text: z.string() });
export type RunOutputFile = z.infer<typeof RunOutputFile>;
