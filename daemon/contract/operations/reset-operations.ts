import * as z from 'zod';
import { AppName } from '../apps/app-source.ts';
import { InstalledApp } from '../apps/apps.ts';
import { AppReset, UndoRefusal } from '../apps/reset.ts';
import { at, type Operation, refused } from './operation.ts';

const params = z.object({ appName: AppName });
const notInstalled = { 404: refused('Not installed') };

/** The reset of an installed app, which removes what it has saved and its variables, and its undo. */
export const resetOperations = {
  getAppReset: {
    ...at('GET /api/apps/installed/{appName}/reset', AppReset),
    summary: 'What a reset of an app would remove, and what the last one set aside',
    params,
    refusals: {
      ...notInstalled,
      409: refused(
        'A folder of the app cannot be read; or its variables were damaged, and the next request finds none',
      ),
    },
  },
  resetApp: {
    saves: true,
    ...at('POST /api/apps/installed/{appName}/reset', InstalledApp),
    summary: 'Remove what an app has saved, and its variables; can be undone for 24 hours, until the next reset',
    params,
    refusals: {
      ...notInstalled,
      409: refused('The app is running or being changed, has saved nothing, or cannot be read; nothing changed'),
    },
  },
  undoAppReset: {
    saves: true,
    ...at('POST /api/apps/installed/{appName}/reset/undo', InstalledApp),
    summary: 'Restore what the last reset of an app removed',
    params,
    query: z.object({
      replace: z.stringbool().optional().describe('Remove what the undo would replace or leave out, for good'),
    }),
    refusals: {
      ...notInstalled,
      409: {
        description:
          'The app is running or being changed, has another version or has saved something since; or there is no reset',
        schema: UndoRefusal,
      },
    },
  },
} as const satisfies Record<string, Operation>;
