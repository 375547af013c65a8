import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { AppName } from './app-source.ts';
import { CrashDiagnosis } from './diagnosis.ts';

/** A process of a run, for a person: what it is called and its command line, shortened, without secrets. */
export const AppProcessInfo = z.object({ pid: z.int(), command: z.string() }).meta({ id: 'AppProcessInfo' });
export type AppProcessInfo = z.infer<typeof AppProcessInfo>;

/** How a run of an app ended. `killed`: it did not end by itself within the grace after a stop. */
export const RunOutcome = z.enum(['finished', 'stopped', 'killed', 'crashed']);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** One finished run. */
export const AppRun = z
  .object({
    runId: z.string(),
    appName: AppName,
    startedAt: Timestamp,
    endedAt: Timestamp,
    outcome: RunOutcome,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    /** What happened, in one sentence. */
    message: z.string(),
    /** Why it crashed, as far as its output tells; null when it did not. */
    diagnosis: CrashDiagnosis.nullable().default(null),
    /** The version of the app that ran. */
    version: z.string().default(''),
    /** What had to be killed: it did not end by itself. */
    killed: z.array(AppProcessInfo).default([]),
  })
  .meta({ id: 'AppRun' });
export type AppRun = z.infer<typeof AppRun>;

export const OutputStream = z.enum(['stdout', 'stderr']);

/** One line of an app's output. `number` counts from 1 within a run. */
export const OutputLine = z
  .object({
    number: z.int(),
    stream: OutputStream,
    text: z.string(),
    /** The line was longer than is kept; this is its beginning. */
    truncated: z.boolean(),
    at: Timestamp,
  })
  .meta({ id: 'OutputLine' });
export type OutputLine = z.infer<typeof OutputLine>;

/** A stretch of the output of the current run, or of the last one while the slot is free. */
export const OutputPage = z
  .object({
    /** null when no app has run since the daemon started. */
    runId: z.string().nullable(),
    appName: AppName.nullable(),
    /** The oldest line still kept; what came before it is gone. */
    firstKept: z.int(),
    /** The number of the newest line, 0 when there is none. */
    last: z.int(),
    lines: z.array(OutputLine),
  })
  .meta({ id: 'OutputPage' });
export type OutputPage = z.infer<typeof OutputPage>;
