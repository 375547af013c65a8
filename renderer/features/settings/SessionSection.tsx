import { useEffect, useRef } from 'react';
import type { DashboardSession } from '../../../daemon/contract/session.ts';
import { useRoute } from '../../navigation/route.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
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
      <Section title="This browser">
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
      </Section>
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
      <RefusalNote commandKey="session" commands={['sign-out']} stays />
      <div className="row">
        <SendButton commandKey="session" command="sign-out" size="sm" onClick={() => void endSession()}>
          End this session
        </SendButton>
        <span className="muted small">To sign in again, use a sign-in address or a token.</span>
      </div>
    </>
  );
}

/** The signed-in browsers, each with a button that signs it out. */
function SessionList() {
  const loaded = useDashboard((s) => s.sessions);
  const loadSessions = useDashboard((s) => s.loadSessions);
  const endOtherSessions = useDashboard((s) => s.endOtherSessions);
  useWhenConnected(loadSessions, '');
  const ends = ['end others', ...(loaded?.value ?? []).map(({ id }) => `end ${id}`)];
  return (
    <Section title="Signed-in browsers">
      <RefusalNote commandKey="session" commands={ends} />
      <LoadedPart of={loaded} failure="They could not be loaded" onRetry={() => void loadSessions()} rows={1}>
        {(sessions) => (
          <>
            <ul className="session-rows" aria-label="Signed-in browsers">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.filter(({ isCurrent }) => !isCurrent).length > 1 && (
              <div>
                <SendButton commandKey="session" command="end others" onClick={() => void endOtherSessions()}>
                  Sign out all others
                </SendButton>
              </div>
            )}
          </>
        )}
      </LoadedPart>
    </Section>
  );
}

function SessionRow({ session }: { readonly session: DashboardSession }) {
  const { id, browser, token, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const endSessionOf = useDashboard((s) => s.endSessionOf);
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
          .{' '}
          {expiresAt === null ? (
            'Ends with the daemon.'
          ) : (
            <time dateTime={expiresAt} title={exactTime(expiresAt)}>
              Ends {new Date(expiresAt).toLocaleDateString()} if unused.
            </time>
          )}
        </p>
      </div>
      {!isCurrent && (
        <SendButton
          commandKey="session"
          command={`end ${id}`}
          onClick={() => void endSessionOf(id)}
          aria-label={`Sign out ${browser}`}
        >
          Sign out
        </SendButton>
      )}
    </li>
  );
}
