import { Button } from '@mantine/core';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isOutdated } from '../../slices/apps/store-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** How old the copy of the hub is, why it is not newer, and the way to have it read again. */
export function StoreAge() {
  const store = useDashboard((s) => s.store);
  const outdated = useDashboard((s) => isOutdated(s) && (s.storePage?.value?.matches ?? 0) > 0);
  const loadStore = useDashboard((s) => s.loadStore);
  const refreshStore = useDashboard((s) => s.refreshStore);
  const connected = useDashboard(isConnected);
  if (!store) return null;
  const { fetchedAt, refreshing, problem } = store;
  return (
    <>
      <div className="store-age">
        <span className="muted small" role="status">
          {refreshing ? (
            'Reading the hub…'
          ) : fetchedAt === null ? (
            'The hub has not been read yet'
          ) : (
            <ReadAt at={fetchedAt} />
          )}
        </span>
        {outdated && !refreshing ? (
          // Nothing moves under the pointer: what is new is shown when one wants it.
          <Button variant="default" size="compact-sm" onClick={() => void loadStore()}>
            Show what is new
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            disabled={!connected || refreshing}
            onClick={() => void refreshStore()}
          >
            Refresh
          </Button>
        )}
      </div>
      {problem !== null && fetchedAt !== null && !refreshing && (
        <Note tone="offline" title="The hub could not be read.">
          <p>{problem}</p>
          <p>What you see is what the hub had then. It can be browsed; an install needs the hub.</p>
        </Note>
      )}
    </>
  );
}

function ReadAt({ at }: { readonly at: string }) {
  return (
    <>
      Read from the hub <TimeAgo at={at} />
    </>
  );
}
