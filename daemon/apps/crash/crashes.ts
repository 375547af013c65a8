import type { AppCrash, AppRun } from '../../contract/apps/runs.ts';

/**
 * Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first.
 * @param runs newest first
 * @param unseen the ids of crashes that nobody has seen
 */
export function crashesIn(runs: readonly AppRun[], unseen: ReadonlySet<string>): AppCrash[] {
  const byApp = Map.groupBy(runs, ({ appName }) => appName);
  const isUnseen = ({ runId }: AppRun) => unseen.has(runId);
  const shown = new Set(
    [...byApp.values()].map(([last, ...earlier]) => (last?.outcome === 'crashed' ? last : earlier.find(isUnseen))),
  );
  return runs.filter((run) => shown.has(run)).map((run) => ({ run, seen: !unseen.has(run.runId) }));
}
