import * as z from 'zod';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { ENTRY_POINT_GROUP } from '../manifest.ts';
import { noMainBlock, type PackageFiles } from '../package-files.ts';
import { type PackageFinding, problem, warning } from '../package-finding.ts';

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

/** Findings about the class of an app and the block that starts it. */
export async function codeFindings(
  manifest: AppManifest,
  { problem: refused, facts }: CodeCheck,
  files: Pick<PackageFiles, 'read'>,
): Promise<PackageFinding[]> {
  const syntax = (facts?.syntaxErrors ?? []).map(({ file, line, message }) =>
    problem('syntax-error', `${displayText(file, 120)} is not valid Python: ${displayText(message, 160)}.`, {
      file,
      line,
    }),
  );
  if (syntax.length > 0) return syntax;
  if (refused !== null) return [classFinding(refused, manifest, facts)];
  if (!facts) return [];
  return [...runFindings(facts), ...mainFindings(facts), ...(await literalFindings(manifest, facts, files))];
}

function classFinding(refused: string, manifest: AppManifest, facts: CodeFacts | null): PackageFinding {
  if (facts?.class) return problem('not-robot-app', `${refused}.`, facts.class);
  const isMissing = refused.includes(' has no class ');
  return problem(isMissing ? 'no-class' : 'not-robot-app', `${refused}.`, {
    key: ['project', 'entry-points', ENTRY_POINT_GROUP, manifest.name],
    action: nameAdvice(manifest, facts?.apps ?? []),
  });
}

/** Names the class that the entry point most likely means. */
function nameAdvice({ module, className }: AppManifest, apps: readonly string[]): string | undefined {
  const meant = closestName(className, apps) ?? (apps.length === 1 ? apps[0] : undefined);
  if (meant === undefined) return undefined;
  return `Write "${module}:${meant}" in the entry point, or rename the class ${meant} to ${className}.`;
}

function runFindings({ run, class: place }: CodeFacts): PackageFinding[] {
  if (!run) return [];
  const { file, line, endless } = run;
  if (line === null) {
    const message = 'The class does not define run(self, robot, stop_event).';
    return [problem('no-run', message, { file, line: place?.line })];
  }
  if (run.isAsync) {
    const message = 'run is async, so nothing would happen: it is called without await.';
    return [problem('bad-run', message, { file, line })];
  }
  if (!run.accepts) {
    const message = 'run cannot be called with a robot and a stop event: run(self, robot, stop_event).';
    return [problem('bad-run', message, { file, line })];
  }
  if (endless === null) return [];
  const message =
    'The loop in run never ends, as it does not look at stop_event: a stopped app would be killed after a while.';
  const action = 'Write "while not stop_event.is_set():", or leave the loop when stop_event.wait(…) returns True.';
  return [warning('stop-event-unused', message, { file, line: endless, action })];
}

function mainFindings({ main }: CodeFacts): PackageFinding[] {
  if (!main) return [];
  if (main.line === null) return [noMainBlock(main.file)];
  if (!main.wrappedRun) {
    const message = 'The __main__ block does not call wrapped_run(), which connects to the robot and serves the page.';
    return [warning('main-no-wrapped-run', message, main)];
  }
  if (main.stops) return [];
  const message =
    'The __main__ block does not call stop() on a KeyboardInterrupt, so Ctrl-C may end the app in the middle.';
  return [warning('main-no-stop', message, main)];
}

/** Another tool for these apps searches the text of the module for the class. */
async function literalFindings(
  { className }: AppManifest,
  { class: place }: CodeFacts,
  files: Pick<PackageFiles, 'read'>,
): Promise<PackageFinding[]> {
  if (!place) return [];
  const source = (await files.read(place.file)) ?? '';
  if (source.includes(`class ${className}(RobotApp)`)) return [];
  const message = `The class is not written as "class ${className}(RobotApp)". It works, but some tools search for this text.`;
  return [warning('class-not-literal', message, place)];
}
