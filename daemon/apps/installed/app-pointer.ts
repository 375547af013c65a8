import * as z from 'zod';
import { InstalledApp } from '../../contract/apps/apps.ts';

/** What is kept of a version; what follows from the other fields, or is asked anew, is not. */
export const KeptVersion = z.object({
  app: InstalledApp.omit({
    previous: true,
    pinned: true,
    onTrial: true,
    rolledBack: true,
    update: true,
    updateProblem: true,
    sharesPortWith: true,
  }),
  /** The folder under `envs` that it runs from. */
  env: z.string().regex(/^[0-9a-f]+$/),
});
export type KeptVersion = z.infer<typeof KeptVersion>;

/**
 * The pointer of an app: which of its environments is live. Replacing this small file is the switch, so an install, an
 * update or a rollback has happened whole or not at all. Environments stay where they were built; they do not survive
 * being moved.
 */
export const AppPointer = KeptVersion.extend({
  previous: KeptVersion.nullable().default(null),
  pinned: z.boolean().default(false),
  onTrial: z.boolean().default(false),
  rolledBack: InstalledApp.shape.rolledBack,
});
export type AppPointer = z.infer<typeof AppPointer>;

/** The name of that file in the folder of an app. */
export const POINTER = 'current.json';
