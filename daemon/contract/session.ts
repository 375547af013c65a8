import * as z from 'zod';

/** Whether whoever asks may deploy: a dashboard with its cookie, a program with its token. */
export const Session = z
  .object({
    signedIn: z.boolean(),
    /** Where it may deploy; null: everywhere. */
    namespaces: z.array(z.string()).nullable(),
    /** The namespace that is meant where none is named. */
    namespace: z.string(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
