import * as z from 'zod';

/** Whether the caller may deploy: a dashboard with its cookie, a program with its token. */
export const Session = z
  .object({
    signedIn: z.boolean(),
    /** The namespaces that it may deploy to; null: all. */
    namespaces: z.array(z.string()).nullable(),
    /** The default namespace. */
    namespace: z.string(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
