import * as z from 'zod';

/** The downloads that installs of apps keep for later installs. */
export const DownloadCache = z
  .object({
    path: z.string(),
    bytes: z.int(),
    /** The part that no installed app shares files with. Where a disk clones files instead of linking them: all. */
    unusedBytes: z.int(),
    /** false: there are so many files that the sizes are those of a part. */
    isComplete: z.boolean(),
  })
  .meta({ id: 'DownloadCache' });
export type DownloadCache = z.infer<typeof DownloadCache>;

/** The downloads that are left, and the disk space that the removal freed. */
export const PrunedDownloadCache = DownloadCache.extend({ freedBytes: z.int() }).meta({ id: 'PrunedDownloadCache' });
export type PrunedDownloadCache = z.infer<typeof PrunedDownloadCache>;
