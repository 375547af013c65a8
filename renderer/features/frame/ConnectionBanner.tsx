import { type ReactNode, Suspense } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import { isInWindow, openAgain, signInHere } from '../../navigation/in-window.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu } from '../../parts/actions/CopyMenu.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { useBrowserNow } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { absentText, absentTitle, lastUpdateText, signedOutTitle, startItText } from './frame-text.ts';
import './notices.css';

/**
 * Shown only while the daemon does not answer: since when, and how it starts again.
 * @param signInForm for a browser that is signed out; it may suspend
 */
export function ConnectionBanner({ signInForm }: { readonly signInForm: ReactNode }) {
  const connection = useDashboard((s) => s.connection);
  const isSignedOut = useDashboard((s) => s.isSignedOut) && connection.phase === 'lost';
  if (connection.phase !== 'silent' && connection.phase !== 'lost') return null;
  return (
    <section className="connection-banner" aria-label="Connection">
      <StateMark tone="failed" />
      <div className="connection-text">
        <p role="alert">
          <strong>{isSignedOut ? signedOutTitle : absentTitle}</strong> {!isSignedOut && absentText(connection)}{' '}
          {connection.lastSeen !== null && (
            <span className="muted">{lastUpdateText(connection.lastSeen, isSignedOut)}</span>
          )}
        </p>
        {isSignedOut ? <SignIn form={signInForm} /> : <Restart hangs={connection.phase === 'silent'} />}
      </div>
      {connection.phase === 'lost' && <Retry retryAt={connection.retryAt} />}
    </section>
  );
}

function SignIn({ form }: { readonly form: ReactNode }) {
  if (!isInWindow) return <Suspense>{form}</Suspense>;
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
        <span className="muted">{startItText(hangs)}</span>
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
