import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DashboardSession } from '../../../daemon/contract/session.ts';
import { useRoute } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { NewSignInAddress } from '../session/NewSignInAddress.tsx';
import { SignInForm } from '../session/SignInForm.tsx';
import './session-list.css';
import '../../parts/rows.css';

/** Signs this browser in to the daemon, or out, and shows the other browsers that are signed in. */
export function SessionSection() {
  const session = useDashboard((s) => s.session);
  const loadSession = useDashboard((s) => s.loadSession);
  useWhenConnected(loadSession, '');
  return (
    <>
      <section className="card stack" aria-labelledby="this-browser">
        <h2 id="this-browser">This browser</h2>
        {session?.state === 'failed' && (
          <FailedNote
            error={session.error}
            title="The session could not be loaded"
            onRetry={() => void loadSession()}
          />
        )}
        {session?.value?.signedIn && <SignedIn namespaces={session.value.namespaces} />}
        {session?.value?.signedIn === false && <SignedOut />}
        {session?.value === null && session.state === 'loading' && <p className="muted">Loading…</p>}
      </section>
      {session?.value?.signedIn && <SessionList />}
    </>
  );
}

function SignedOut() {
  const failed = new URLSearchParams(useRoute().query).get('sign-in') === 'failed';
  const note = useRef<HTMLDivElement>(null);
  // Other settings may be above it.
  useEffect(() => note.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <>
      {failed && (
        <div ref={note}>
          <Note tone="failed" urgent title="This sign-in address no longer works.">
            <p>Each works once. It was used before, is too old, or the daemon that printed it has ended.</p>
            <NewSignInAddress />
          </Note>
        </div>
      )}
      <p>This browser is not signed in to the daemon: you can look at models, not deploy them.</p>
      <SignInForm tokenOnly={failed} />
    </>
  );
}

function SignedIn({ namespaces }: { readonly namespaces: readonly string[] | null }) {
  const endSession = useDashboard((s) => s.endSession);
  const { pending, blocked } = useCommand('session', 'sign-out');
  const refusal = useDashboard(refusalOf('session', ['sign-out']));
  return (
    <>
      <p>
        This browser is signed in to the daemon and may deploy models
        {namespaces !== null && (
          <>
            {' '}
            in <span className="mono">{namespaces.join(', ')}</span>
          </>
        )}
        .
      </p>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      <div className="row">
        <Button variant="default" disabled={blocked} loading={pending} onClick={() => void endSession()}>
          End this session
        </Button>
        <span className="muted small">To sign in again, use a sign-in address or a token.</span>
      </div>
    </>
  );
}

/** The signed-in browsers, each with a button that signs it out. */
function SessionList() {
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
  const { pending, blocked } = useCommand('session', `end ${id}`);
  return (
    <li className="row session-row">
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
        <SmallButton
          disabled={blocked}
          loading={pending}
          onClick={() => void endSessionOf(id)}
          aria-label={`Sign out ${browser}`}
        >
          Sign out
        </SmallButton>
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
  const { pending, blocked } = useCommand('session', 'end others');
  return (
    <div>
      <SmallButton disabled={blocked} loading={pending} onClick={() => void endOtherSessions()}>
        Sign out all others
      </SmallButton>
    </div>
  );
}
