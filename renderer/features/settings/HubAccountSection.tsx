import type { HubAccount } from '../../../daemon/contract/apps/store.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { HubSignInForm } from '../session/SignInForm.tsx';

export function HubAccountSection() {
  const account = useDashboard((s) => s.hubAccount);
  if (!account) return null;
  return (
    <Section title="Hub account">
      {account.problem !== null && (
        <Note tone="failed" title={account.problem}>
          {account.name !== null && <p>Sign out, then sign in with a new token.</p>}
        </Note>
      )}
      {account.name === null ? (
        <HubSignInForm description="Create it in your account on the hub, with read access; with write access, to publish apps. Stored encrypted on this machine, never shown again.">
          Public apps need no account. To see private ones too, sign in to{' '}
          {account.hub ? <span className="mono">{account.hub}</span> : 'the hub'} with an access token.
        </HubSignInForm>
      ) : (
        <SignedIn account={account} />
      )}
    </Section>
  );
}

function SignedIn({ account: { hub, name } }: { readonly account: HubAccount }) {
  const signOut = useDashboard((s) => s.signOut);
  return (
    <>
      <p>
        Signed in to <span className="mono">{hub}</span> as <strong>{name}</strong>. The private apps of this account
        are in Discover.
      </p>
      <RefusalNote commandKey="hub" stays />
      <div className="row">
        <SendButton commandKey="hub" size="sm" onClick={() => void signOut()}>
          Sign out
        </SendButton>
        <span className="muted small">Forgets the token on this machine.</span>
      </div>
    </>
  );
}
