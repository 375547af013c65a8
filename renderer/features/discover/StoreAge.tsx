import { Button } from '@mantine/core';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface StoreAgeProps {
  /** The hub's copy is newer than the shown results. */
  readonly isNewer: boolean;
  readonly onShowNewest: () => void;
  readonly onRefresh: () => void;
}

/** Shows the age of the hub's copy, why it could not be updated, and Refresh. */
export function StoreAge({ isNewer, onShowNewest, onRefresh }: StoreAgeProps) {
  const store = useDashboard((s) => s.store);
  const pending = useDashboard(isPending('store'));
  const connected = useDashboard(isConnected);
  if (!store) return null;
  const { fetchedAt, refreshing, problem } = store;
  return (
    <>
      <div className="store-age">
        <span className="muted small" role="status">
          {refreshing ? (
            'Loading from the hub…'
          ) : fetchedAt === null ? (
            'The apps of the hub are not loaded yet'
          ) : (
            <ReadAt at={fetchedAt} />
          )}
        </span>
        {isNewer && !refreshing ? (
          // The list never changes under the pointer: the user asks for the new one.
          <Button variant="default" size="compact-sm" onClick={onShowNewest}>
            Show the newest
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            disabled={!connected || refreshing || pending}
            loading={pending}
            onClick={onRefresh}
          >
            Refresh
          </Button>
        )}
      </div>
      {problem !== null && fetchedAt !== null && !refreshing && (
        <Note tone="offline" title="The list could not be updated.">
          <p>{problem}</p>
          <p>This is the last copy. You can browse it; to install, the hub must be reachable.</p>
        </Note>
      )}
    </>
  );
}

function ReadAt({ at }: { readonly at: string }) {
  return (
    <>
      Loaded from the hub <TimeAgo at={at} />
    </>
  );
}
