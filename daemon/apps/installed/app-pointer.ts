import * as z from 'zod';
import { AppManifest, InstalledApp } from '../../contract/apps/apps.ts';

/** The stored record of a version. Fields that are derived or looked up again are not stored. */
export const StoredVersion = z.object({
  app: InstalledApp.omit({
    previous: true,
    pinned: true,
    onTrial: true,
    rolledBack: true,
    update: true,
    updateProblem: true,
    sharesPortWith: true,
  }).extend({ needs: AppManifest.shape.needs }),
  /** The folder of its environment under `envs`. */
  env: z.string().regex(/^[0-9a-f]+$/),
});
export type StoredVersion = z.infer<typeof StoredVersion>;

/**
 * The pointer of an app names its live environment. Replacing this file is the switch, so an install, an update or a
 * rollback is atomic. Environments cannot be moved, so they stay where they were built.
 */
export const AppPointer = StoredVersion.extend({
  previous: StoredVersion.nullable().default(null),
  pinned: z.boolean().default(false),
  onTrial: z.boolean().default(false),
  rolledBack: InstalledApp.shape.rolledBack,
});
export type AppPointer = z.infer<typeof AppPointer>;

/** File name of the pointer in the folder of an app. */
export const POINTER = 'current.json';
