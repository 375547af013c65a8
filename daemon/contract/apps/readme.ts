import * as z from 'zod';
import { named } from '../common/common.ts';

/** The README of an app: foreign Markdown, to be sanitised before it is shown. */
export const Readme = named('Readme', {
  /** Without front matter, control characters and invisible ones; empty: there is none. */
  markdown: z.string(),
  /** Whether the end is left out, because the README is too long. */
  truncated: z.boolean(),
});
export type Readme = z.infer<typeof Readme>;

/** An image of an app's repository, as part of an answer: no address of the daemon serves the files of a README. */
export const ReadmeImage = named('ReadmeImage', {
  /** The type that its first bytes tell. */
  type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']),
  base64: z.string(),
});
export type ReadmeImage = z.infer<typeof ReadmeImage>;

/** A file of a repository, from its top, with slashes. */
export const RepositoryPath = z
  .string()
  .min(1)
  .max(1000)
  .refine(
    (path) => !/[\p{Cc}\\]/u.test(path) && path.split('/').every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part)),
    'a path within the repository, without ..',
  );
