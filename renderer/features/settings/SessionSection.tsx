import { useEffect, useRef } from 'react';
import type { DashboardSession, Session } from '../../../daemon/contract/session.ts';
import { useRoute } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { useAskAgain, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { LetBrowserIn } from '../session/LetBrowserIn.tsx';
import { SignInForm } from '../session/SignInForm.tsx';
import { BY_TOKEN } from '../session/session-text.ts';
import { useSession } from '../session/use-signed-in.ts';
import { notSignedInText, signOutHelp, usedAddressText } from './settings-text.ts';
import './session-list.css';
import '../../parts/rows.css';

/** Signs this browser in to the daemon, or out, and shows the other browsers that are signed in. */
export function SessionSection() {
  const { value: session, loading, error, again } = useSession();
  return (
    <>
      <Section title="This browser">
        {error && <FailedNote error={error} title="The session could not be loaded" onRetry={again} />}
        {session?.signedIn && <SignedIn session={session} />}
        {session?.signedIn === false && <SignedOut />}
        {session === null && loading && <p className="muted">Loading…</p>}
      </Section>
      {session?.isOwnUser && <LetBrowserIn />}
      {session?.signedIn && <SessionList />}
    </>
  );
}

function SignedOut() {
  const failed = new URLSearchParams(useRoute().query).get('sign-in') === 'failed';
  const note = useRef<HTMLDivElement>(null);
  // Other settings may be above it.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'center' }); // a browser may return a promise
  }, []);
  return (
    <>
      {failed && (
        <div ref={note}>
          <Note tone="failed" urgent title="This sign-in address no longer works.">
            <p>{usedAddressText}</p>
          </Note>
        </div>
      )}
      <p>{notSignedInText}</p>
      <SignInForm />
    </>
  );
}

function SignedIn({ session: { namespaces, isOwnUser } }: { readonly session: Session }) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  async function end(): Promise<void> {
    const session = await send('session', (call) => call('signOut'), 'sign-out');
    if (session) setAnswer(sessionKey, session);
  }
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
      {!isOwnUser && <p className="muted">{BY_TOKEN}</p>}
      <RefusalNote commandKey="session" commands={['sign-out']} stays />
      <div className="row">
        <SendButton commandKey="session" command="sign-out" size="sm" onClick={() => void end()}>
          Sign this browser out
        </SendButton>
        <span className="muted small">{signOutHelp}</span>
      </div>
    </>
  );
}

/** The signed-in browsers, each with a button that signs it out. */
function SessionList() {
  const asked = useAsked(['sessions'], (call, signal) => call('listSessions', { signal }));
  const end = useEndSessions();
  const ends = ['end others', ...(asked.value ?? []).map(({ id }) => `end ${id}`)];
  return (
    <Section title="Signed-in browsers">
      <RefusalNote commandKey="session" commands={ends} />
      <LoadedPart of={asked} failure="They could not be loaded" rows={1}>
        {(sessions) => (
          <>
            <ul className="session-rows" aria-label="Signed-in browsers">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.filter(({ isCurrent }) => !isCurrent).length > 1 && (
              <div>
                <SendButton
                  commandKey="session"
                  command="end others"
                  onClick={() => void end((call) => call('endOtherSessions'), 'end others')}
                >
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
  const end = useEndSessions();
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
          onClick={() => void end((call) => call('endSession', { params: { sessionId: id } }), `end ${id}`)}
          aria-label={`Sign out ${browser}`}
        >
          Sign out
        </SendButton>
      )}
    </li>
  );
}

/** Sends a command that signs other browsers out, then asks for the list again. */
function useEndSessions() {
  const send = useDashboard((s) => s.send);
  const askAgain = useAskAgain();
  return async (command: Parameters<typeof send>[1], name: string) => {
    await send('session', command, name);
    await askAgain('sessions');
  };
}
