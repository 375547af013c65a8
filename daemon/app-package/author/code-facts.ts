import * as z from 'zod';

const Place = z.object({ file: z.string(), line: z.int().min(1) });

/** The facts about a package's code that `assets/installer/check_class` reads. */
export const CodeFacts = z.object({
  syntaxErrors: z.array(Place.extend({ message: z.string() })),
  /** Where the class of the entry point is defined; null: only the import can tell, as in the facts below. */
  class: Place.nullable(),
  /** Where `run` is defined; `line` null: nowhere. `endless`: the line of a loop in it that no stop ends, if that is certain. */
  run: z
    .object({
      file: z.string(),
      line: z.int().min(1).nullable(),
      isAsync: z.boolean(),
      accepts: z.boolean(),
      endless: z.int().min(1).nullable(),
    })
    .nullable(),
  /** The last assignment to `custom_app_url` in the class; `text` null: it is no plain text. */
  page: Place.extend({ text: z.string().nullable() }).nullable(),
  /** The start of the module; `line` null: it has no `__main__` block. */
  main: z
    .object({ file: z.string(), line: z.int().min(1).nullable(), wrappedRun: z.boolean(), stops: z.boolean() })
    .nullable(),
  /** The names of the module's own classes that are certainly apps. */
  apps: z.array(z.string()),
  /** Whether the app serves pages by its own code. */
  serves: z.boolean().nullable(),
});
export type CodeFacts = z.infer<typeof CodeFacts>;

/** The answer about the code of a package. */
export const CodeCheck = z.object({
  /** Why the class is certainly no app, a sentence without its full stop. */
  problem: z.string().nullable(),
  customAppUrl: z.string().nullable(),
  /** null: nothing is known of the code. */
  facts: CodeFacts.nullable().default(null),
});
export type CodeCheck = z.infer<typeof CodeCheck>;
