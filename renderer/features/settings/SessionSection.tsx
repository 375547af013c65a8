import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DashboardSession } from '../../../daemon/contract/session.ts';
import { useRoute } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { useAskAgain, useAsked } from '../../store/use-asked.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NewSignInAddress } from '../session/NewSignInAddress.tsx';
import { SignInForm } from '../session/SignInForm.tsx';
import { useSession } from '../session/use-signed-in.ts';
import './session-list.css';
import '../../parts/rows.css';

/** Signs this browser in to the daemon, or out, and shows the other browsers that are signed in. */
export function SessionSection() {
  const { value: session, loading, error, again } = useSession();
  return (
    <>
      <section className="card stack" aria-labelledby="this-browser">
        <h2 id="this-browser">This browser</h2>
        {error && <FailedNote error={error} title="The session could not be loaded" onRetry={again} />}
        {session?.signedIn && <SignedIn namespaces={session.namespaces} />}
        {session?.signedIn === false && <SignedOut />}
        {session === null && loading && <p className="muted">Loading…</p>}
      </section>
      {session?.signedIn && <SessionList />}
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
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const { pending, blocked } = useCommand('session', 'sign-out');
  const refusal = useDashboard(refusalOf('session', ['sign-out']));
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
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      <div className="row">
        <Button variant="default" disabled={blocked} loading={pending} onClick={() => void end()}>
          End this session
        </Button>
        <span className="muted small">To sign in again, use a sign-in address or a token.</span>
      </div>
    </>
  );
}

/** The signed-in browsers, each with a button that signs it out. */
function SessionList() {
  const asked = useAsked(['sessions'], (call, signal) => call('listSessions', { signal }));
  const ends = ['end others', ...(asked.value ?? []).map(({ id }) => `end ${id}`)];
  return (
    <section className="card stack" aria-labelledby="signed-in-browsers">
      <h2 id="signed-in-browsers">Signed-in browsers</h2>
      <RefusalNote commandKey="session" commands={ends} />
      <LoadedPart of={asked} failure="They could not be loaded" rows={1}>
        {(sessions) => (
          <>
            <ul className="session-rows" aria-labelledby="signed-in-browsers">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.filter(({ isCurrent }) => !isCurrent).length > 1 && <EndOthers />}
          </>
        )}
      </LoadedPart>
    </section>
  );
}

function SessionRow({ session }: { readonly session: DashboardSession }) {
  const { id, browser, token, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const end = useEndSessions();
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
          onClick={() => void end((call) => call('endSession', { params: { sessionId: id } }), `end ${id}`)}
          aria-label={`Sign out ${browser}`}
        >
          Sign out
        </SmallButton>
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

function Expiry({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      Ends {new Date(at).toLocaleDateString()} if unused.
    </time>
  );
}

function EndOthers() {
  const end = useEndSessions();
  const { pending, blocked } = useCommand('session', 'end others');
  return (
    <div>
      <SmallButton
        disabled={blocked}
        loading={pending}
        onClick={() => void end((call) => call('endOtherSessions'), 'end others')}
      >
        Sign out all others
      </SmallButton>
    </div>
  );
}
