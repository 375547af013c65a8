import { type ReactNode, useState } from 'react';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { SignInForm } from '../session/SignInForm.tsx';
import { useSession, useSignedIn } from '../session/use-signed-in.ts';
import { signedOutText } from './deploy-text.ts';

/** Shows the deploy form to a signed-in user; asks others to sign in first. A form that was shown keeps its text. */
export function SignInFirst({ children }: { readonly children: ReactNode }) {
  const signedIn = useSignedIn();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (signedIn && !wasSignedIn) setWasSignedIn(true);
  return (
    <>
      {!signedIn && <Gate isAgain={wasSignedIn} />}
      {wasSignedIn && <Answer hidden={!signedIn}>{children}</Answer>}
    </>
  );
}

function Gate({ isAgain }: { readonly isAgain: boolean }) {
  const { value, error, again } = useSession();
  if (value === null) {
    const title = 'Your permission to deploy could not be checked';
    return error ? <FailedNote error={error} title={title} onRetry={again} /> : <Skeleton rows={4} />;
  }
  return (
    <Answer>
      <section className="stack" aria-labelledby="deploy-sign-in">
        <h3 id="deploy-sign-in">{isAgain ? 'Sign in again to deploy' : 'Sign in to deploy'}</h3>
        {isAgain && <p>{signedOutText}</p>}
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
