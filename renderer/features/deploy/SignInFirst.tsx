import { type ReactNode, useState } from 'react';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';

/** Shows the deploy form to a signed-in user; asks others to sign in first. A form that was shown keeps its text. */
export function SignInFirst({ children }: { readonly children: ReactNode }) {
  const signedIn = useSignedIn();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (signedIn && !wasSignedIn) setWasSignedIn(true);
  return (
    <>
      {!signedIn && <Gate again={wasSignedIn} />}
      {wasSignedIn && <Answer hidden={!signedIn}>{children}</Answer>}
    </>
  );
}

function Gate({ again }: { readonly again: boolean }) {
  const loadSession = useDashboard((s) => s.loadSession);
  const session = useDashboard((s) => s.session);
  const signedIn = useDashboard(isSignedIn);
  if (signedIn === null) {
    const title = 'Your permission to deploy could not be checked';
    if (session?.state !== 'failed') return <Skeleton rows={4} />;
    return <FailedNote error={session.error} title={title} onRetry={() => void loadSession()} />;
  }
  return (
    <Answer>
      <section className="stack" aria-labelledby="deploy-sign-in">
        <h3 id="deploy-sign-in">{again ? 'Sign in again to deploy' : 'Sign in to deploy'}</h3>
        {again && <p>This browser is no longer signed in. The form keeps what you typed.</p>}
        <SignInForm />
      </section>
    </Answer>
  );
}

/** Gets the focus when the dialog knows what to ask. */
function Answer({ hidden = false, children }: { readonly hidden?: boolean; readonly children: ReactNode }) {
  return (
    <div ref={useFocusWhenShown<HTMLDivElement>()} hidden={hidden}>
      {children}
    </div>
  );
}
