import { ownCommands } from '../../../daemon/client/command-words.ts';
import type { Connection } from '../../api/daemon-events.ts';
import { isInWindow, openAgain, signInHere } from '../../navigation/in-window.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { CopyMenu } from '../../parts/CopyMenu.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { useBrowserNow } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import './notices.css';

type Absent = Extract<Connection, { phase: 'silent' | 'lost' }>;

/** Shown only while the daemon does not answer: since when, and how it starts again. */
export function ConnectionBanner() {
  const connection = useDashboard((s) => s.connection);
  const isSignedOut = useDashboard((s) => s.isSignedOut) && connection.phase === 'lost';
  if (connection.phase !== 'silent' && connection.phase !== 'lost') return null;
  return (
    <section className="connection-banner" aria-label="Connection">
      <StateMark tone="failed" />
      <div className="connection-text">
        <p role="alert">
          <strong>{isSignedOut ? 'You are signed out.' : 'The daemon does not answer.'}</strong>{' '}
          {isSignedOut ? 'The daemon answers only to those who are signed in.' : reason(connection)}{' '}
          <LastUpdate connection={connection} goesOn={isSignedOut ? 'you are signed in' : 'it answers'} />
        </p>
        {isSignedOut ? <SignIn /> : <Restart hangs={connection.phase === 'silent'} />}
      </div>
      {connection.phase === 'lost' && <Retry retryAt={connection.retryAt} />}
    </section>
  );
}

function reason({ phase, lastSeen }: Absent): string {
  if (phase === 'lost') return 'It may have been stopped.';
  if (lastSeen !== null) return 'It runs, but it hangs or is overloaded.';
  // A browser keeps the seventh connection to the same address waiting.
  return 'It hangs or is overloaded, or this browser shows more than six pages of it at once.';
}

function LastUpdate({ connection: { lastSeen }, goesOn }: { readonly connection: Absent; readonly goesOn: string }) {
  if (lastSeen === null) return null;
  return (
    <span className="muted">
      What you see is from {new Date(lastSeen).toLocaleTimeString()}. This page goes on by itself once {goesOn}.
    </span>
  );
}

function SignIn() {
  if (!isInWindow) return <SignInForm isLost />;
  return (
    <div className="row connection-restart">
      <SmallButton onClick={signInHere}>Sign this window in</SmallButton>
    </div>
  );
}

/** The window opens itself and its daemon again. A browser reaches no program here but the daemon. */
function Restart({ hangs }: { readonly hangs: boolean }) {
  const known = useDashboard((s) => s.daemon !== null);
  if (!known) return null;
  return (
    <div className="row connection-restart">
      {isInWindow ? (
        <SmallButton onClick={openAgain}>Open Robot Desktop again</SmallButton>
      ) : (
        <span className="muted">
          {hangs && 'If it stays like this, end it. '}This page cannot start it: start it the way it was started.
        </span>
      )}
      <CopyMenu compact of="a restart" actions={[{ title: 'Restart', command: ownCommands.restart, request: null }]} />
    </div>
  );
}

function Retry({ retryAt }: { readonly retryAt: number | null }) {
  const reconnectNow = useDashboard((s) => s.reconnectNow);
  return (
    <>
      <span className="connection-retry muted">{retryAt === null ? 'Trying now…' : <Countdown to={retryAt} />}</span>
      <SmallButton disabled={retryAt === null} onClick={reconnectNow}>
        Try now
      </SmallButton>
    </>
  );
}

function Countdown({ to }: { readonly to: number }) {
  const seconds = Math.max(0, Math.ceil((to - useBrowserNow(250)) / 1000));
  return `Trying again in ${seconds} s`;
}
