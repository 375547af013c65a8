import type { ReactNode } from 'react';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';

/** Shows the deploy form to a signed-in user; asks others to sign in first. */
export function SignInFirst({ children }: { readonly children: ReactNode }) {
  const loadSession = useDashboard((s) => s.loadSession);
  const session = useDashboard((s) => s.session);
  const signedIn = useDashboard(isSignedIn);
  useWhenConnected(loadSession, '');
  if (session?.state === 'failed' && signedIn === null) {
    return (
      <FailedNote
        error={session.error}
        title="Your permission to deploy could not be checked"
        onRetry={() => void loadSession()}
      />
    );
  }
  if (signedIn === null) return <Skeleton rows={4} />;
  if (signedIn) return children;
  return (
    <section className="stack" aria-labelledby="deploy-sign-in">
      <h3 id="deploy-sign-in">Sign in to deploy</h3>
      <SignInForm />
    </section>
  );
}
