import { Button } from '@mantine/core';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';

/** Signs this browser in to the daemon, or out. */
export function SessionSection() {
  const session = useDashboard((s) => s.session);
  const loadSession = useDashboard((s) => s.loadSession);
  useWhenConnected(loadSession, '');
  return (
    <section className="card stack" aria-labelledby="this-browser">
      <h2 id="this-browser">This browser</h2>
      {session?.state === 'failed' && (
        <FailedNote error={session.error} title="The session could not be loaded" onRetry={() => void loadSession()} />
      )}
      {session?.value?.signedIn && <SignedIn namespaces={session.value.namespaces} />}
      {session?.value?.signedIn === false && (
        <>
          <p>This browser is not signed in to the daemon: you can look at models, not deploy them.</p>
          <SignInForm />
        </>
      )}
      {session?.value === null && session.state === 'loading' && <p className="muted">Loading…</p>}
    </section>
  );
}

function SignedIn({ namespaces }: { readonly namespaces: readonly string[] | null }) {
  const endSession = useDashboard((s) => s.endSession);
  const pending = useDashboard(isPending('session'));
  const refusal = useDashboard(refusalOf('session'));
  const connected = useDashboard(isConnected);
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
        <Button variant="default" disabled={!connected || pending} loading={pending} onClick={() => void endSession()}>
          End this session
        </Button>
        <span className="muted small">To sign in again, use a token.</span>
      </div>
    </>
  );
}
