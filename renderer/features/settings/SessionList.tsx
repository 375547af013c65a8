import { Button } from '@mantine/core';
import type { DashboardSession } from '../../../daemon/contract/session.ts';
import { exactTime } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import './session-list.css';
import '../../parts/rows.css';

/** The signed-in browsers, each with a button that signs it out. */
export function SessionList() {
  const loaded = useDashboard((s) => s.sessions);
  const loadSessions = useDashboard((s) => s.loadSessions);
  useWhenConnected(loadSessions, '');
  const sessions = loaded?.value ?? null;
  const ends = ['end others', ...(sessions ?? []).map(({ id }) => `end ${id}`)];
  return (
    <section className="card stack" aria-labelledby="signed-in-browsers">
      <h2 id="signed-in-browsers">Signed-in browsers</h2>
      <RefusalNote commandKey="session" commands={ends} />
      {loaded?.state === 'failed' && (
        <FailedNote error={loaded.error} title="They could not be loaded" onRetry={() => void loadSessions()} />
      )}
      {sessions === null && loaded?.state !== 'failed' && <Skeleton rows={1} />}
      {sessions && (
        <ul className="session-rows" aria-labelledby="signed-in-browsers">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sessions && sessions.filter(({ isCurrent }) => !isCurrent).length > 1 && <EndOthers />}
    </section>
  );
}

function SessionRow({ session }: { readonly session: DashboardSession }) {
  const { id, browser, token, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const endSessionOf = useDashboard((s) => s.endSessionOf);
  const pending = useDashboard(isPending('session', `end ${id}`));
  const connected = useDashboard(isConnected);
  return (
    <li className="session-row">
      <div className="session-text">
        <p>
          {browser}
          {isCurrent && <strong className="session-current"> · this browser</strong>}
        </p>
        <p className="muted small">
          Last used <TimeAgo at={lastUsedAt} />, signed in <TimeAgo at={createdAt} />
          {token !== null && (
            <>
              {' '}
              with the token <bdi className="mono">{token}</bdi>
            </>
          )}
          . {expiresAt === null ? 'Ends with the daemon.' : <Expiry at={expiresAt} />}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="compact-sm"
          disabled={!connected || pending}
          loading={pending}
          onClick={() => void endSessionOf(id)}
          aria-label={`Sign out ${browser}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function Expiry({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      Ends {new Date(at).toLocaleDateString()} if unused.
    </time>
  );
}

function EndOthers() {
  const endOtherSessions = useDashboard((s) => s.endOtherSessions);
  const pending = useDashboard(isPending('session', 'end others'));
  const connected = useDashboard(isConnected);
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        disabled={!connected || pending}
        loading={pending}
        onClick={() => void endOtherSessions()}
      >
        Sign out all others
      </Button>
    </div>
  );
}
