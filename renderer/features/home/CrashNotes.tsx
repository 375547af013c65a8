import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { causedRollback } from '../versions/version-text.ts';

const MAX_NOTES = 3;

/** The crashes that nobody has seen, except those that are shown with the rollback that they caused; newest first. */
export function useCrashesToShow(): readonly AppRun[] {
  const crashes = useDashboard((s) => s.crashes);
  const apps = useDashboard((s) => s.installedApps);
  const unseen = crashes.filter(({ seen }) => !seen).map(({ run }) => run);
  return unseen.filter((run) => !apps.some((app) => causedRollback(run, app)));
}

/** A note for each crash until somebody has seen it: dismissed, or opened where it is explained. */
export function CrashNotes({ crashes }: { readonly crashes: readonly AppRun[] }) {
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  const more = crashes.length - MAX_NOTES;
  return (
    <>
      {crashes.slice(0, MAX_NOTES).map((run) => (
        <CrashNote key={run.runId} run={run} away onDismiss={() => void markCrashSeen(run.runId)} />
      ))}
      {more > 0 && (
        <Note
          tone="failed"
          title={
            <>
              {counted(more, 'more app')} crashed → <a href={hrefOf('apps')}>Apps</a>
            </>
          }
        />
      )}
    </>
  );
}
