import * as z from 'zod';
import { AppSlotState } from '../apps/app-slot.ts';
import { AppName } from '../apps/app-source.ts';
import { StartRefusal } from '../apps/needs.ts';
import { AppCrash, AppRun, OutputPage, RunOutputFile, RunOutputPage } from '../apps/runs.ts';
import { lineNumber } from '../common/common.ts';
import { at, type Operation, refused } from './operation.ts';

const wakePaid = z
  .stringbool()
  .optional()
  .describe(
    'Wake endpoints of the app that cost money while they run, now and, for its requests, as long as it runs; without it, the start is refused if one must be woken, and so are requests that would wake one',
  );
const refusedStart = (description: string) => ({ description, schema: StartRefusal });
const startRefusals = {
  404: refused('Not installed'),
  409: refusedStart(
    'An app is already running, the start was cancelled by a stop, variables must be set again, or an endpoint is missing or cannot be used',
  ),
  500: refused('The process could not be started'),
  503: refused('The robot is not available, or the daemon is stopping'),
};
const noOutput = refused('No such run, or its output is no longer kept');
const runId = z.object({ runId: z.string().regex(/^[0-9a-f]{16}$/) });
const outputFilter = {
  text: z.string().min(1).max(200).optional().describe('Only lines that contain this text, in upper or lower case'),
  errors: z.stringbool().optional().describe('Only lines on stderr, and tracebacks'),
};
const after = lineNumber.optional().describe('Only lines after this number, the oldest of them first');
const before = z.coerce.number().int().min(1).optional().describe('Only lines before this number');

/** The running app, and earlier runs. */
export const runOperations = {
  startApp: {
    saves: true,
    ...at('POST /api/apps/start-app/{appName}', AppSlotState),
    summary: 'Start an installed app; replies at once while its endpoints wake, with the slot `starting`',
    params: z.object({ appName: AppName }),
    query: z.object({ replace: z.stringbool().optional().describe('Stop the running app first'), wakePaid }),
    refusals: startRefusals,
  },
  stopCurrentApp: {
    ...at('POST /api/apps/stop-current-app', AppSlotState),
    summary:
      'Stop the running app; replies when it has ended and the robot is in its default position, to that app itself at once',
    query: z.object({ force: z.stringbool().optional().describe('Kill it without a grace period') }),
    refusals: { 409: refused('No app is running') },
  },
  getAppSlot: {
    ...at('GET /api/apps/slot', AppSlotState),
    summary: 'The app slot',
  },
  getAppOutput: {
    ...at('GET /api/apps/output', OutputPage),
    summary: 'Output of the current run, or of the last one; at most 500 lines or 256 kB, the newest by default',
    query: z.object({ after, before }),
  },
  restartCurrentApp: {
    saves: true,
    ...at('POST /api/apps/restart-current-app', AppSlotState),
    summary: 'Restart the running app; it keeps the slot meanwhile',
    query: z.object({ wakePaid }),
    refusals: {
      ...startRefusals,
      409: refusedStart(
        'No app is running, the restart was cancelled by a stop, variables must be set again, or an endpoint is missing or cannot be used',
      ),
    },
  },
  listRuns: {
    ...at('GET /api/apps/runs', z.array(AppRun)),
    summary: 'Finished runs, newest first',
    query: z.object({
      app: AppName.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
  },
  listCrashes: {
    ...at('GET /api/apps/crashes', z.array(AppCrash)),
    summary: 'Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first',
  },
  markCrashSeen: {
    saves: true,
    ...at('POST /api/apps/runs/{runId}/seen', z.array(AppCrash)),
    summary:
      'Note that a person has seen how a run crashed, and the earlier crashes of its app; replies with all crashes',
    params: runId,
    refusals: { 404: refused('No such run, or it has not ended') },
  },
  getRunOutput: {
    ...at('GET /api/apps/runs/{runId}/output', RunOutputPage),
    summary:
      'What is kept of the output of one run, also of the current one; at most 500 lines or 256 kB, the newest by default',
    params: runId,
    query: z.object({
      after,
      before,
      ...outputFilter,
    }),
    refusals: { 404: noOutput },
  },
  getRunOutputFile: {
    ...at('GET /api/apps/runs/{runId}/output/file', RunOutputFile),
    summary: 'Everything that is kept of the output of one run, or the lines that are looked for, as a text file',
    params: runId,
    query: z.object(outputFilter),
    refusals: { 404: noOutput },
  },
} as const satisfies Record<string, Operation>;
