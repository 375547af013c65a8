import type { AppCrash, AppRun } from '../../contract/apps/runs.ts';

/**
 * Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first.
 * @param runs newest first
 * @param unseen the ids of crashes that nobody has seen
 */
export function crashesIn(runs: readonly AppRun[], unseen: ReadonlySet<string>): AppCrash[] {
  const byApp = Map.groupBy(runs, ({ appName }) => appName);
  const shown = new Set([...byApp.values()].map(([last, ...earlier]) => shownCrash(last, earlier, unseen)));
  return runs.filter((run) => shown.has(run)).map((run) => ({ run, seen: !unseen.has(run.runId) }));
}

function shownCrash(last: AppRun | undefined, earlier: readonly AppRun[], unseen: ReadonlySet<string>) {
  return last?.outcome === 'crashed' ? last : earlier.find(({ runId }) => unseen.has(runId));
}
