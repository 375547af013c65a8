/** The shapes of the operations about apps that apps for another daemon call. */
import * as z from 'zod';

/** An installed app. */
export const AppInfo = z
  .object({
    name: z.string(),
    source_kind: z.literal('installed'),
    description: z.string(),
    url: z.null(),
    extra: z.object({
      /** The address of its settings page; null: it has none. */ custom_app_url: z.string().nullable(),
    }),
  })
  .meta({ id: 'AppInfo' });
export type AppInfo = z.infer<typeof AppInfo>;

/** The app that runs, or that ended by itself. `error` has the reason of a crash. */
export const AppStatus = z
  .object({
    info: AppInfo,
    state: z.enum(['starting', 'running', 'stopping', 'done', 'error']),
    error: z.string().nullable(),
  })
  .meta({ id: 'AppStatus' });
export type AppStatus = z.infer<typeof AppStatus>;
