import * as z from 'zod';
import { named, SimpleError, Timestamp } from '../common/common.ts';
import { VariableName } from './apps.ts';

/** A file that an app has saved. */
export const SavedFile = named('SavedFile', {
  /** With slashes, from the app's working folder or from the folder of its packages. */
  path: z.string(),
  bytes: z.int(),
  /** Whether it lies beside the app's code, and not in the working folder. */
  besideCode: z.boolean(),
});
export type SavedFile = z.infer<typeof SavedFile>;

/** All that an app has saved, and the variables that a user set for it. */
export const AppContents = named('AppContents', {
  files: z.int(),
  bytes: z.int(),
  /** There are more files than were counted. */
  more: z.literal(true).optional(),
  /** The largest of those files, the largest first. */
  largest: z.array(SavedFile),
  /** The names, sorted. Values are never listed. */
  variables: z.array(VariableName),
});
export type AppContents = z.infer<typeof AppContents>;

/** The files and variables that a reset of an app would remove, and its last reset. */
export const AppReset = named('AppReset', {
  contents: AppContents,
  /** The last reset, while it can be undone; null: there is none. */
  setAside: z
    .object({
      at: Timestamp,
      /** From then on it may be removed. */ until: Timestamp,
      files: z.int(),
      bytes: z.int(),
      more: z.literal(true).optional(),
      variables: z.array(VariableName),
    })
    .nullable(),
});
export type AppReset = z.infer<typeof AppReset>;

/** A refused undo. `saved-since-reset`: repeat the request with `replace`. */
export const UndoRefusal = SimpleError.extend({ code: z.literal('saved-since-reset').optional() }).meta({
  id: 'UndoRefusal',
});
