import { Button } from '@mantine/core';
import type { HubAccount } from '../../../daemon/contract/apps/store.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { HubSignInForm } from '../session/SignInForm.tsx';

export function HubAccountSection() {
  const account = useDashboard((s) => s.hubAccount);
  if (!account) return null;
  return (
    <section className="card stack" aria-labelledby="hub-account">
      <h2 id="hub-account">Hub account</h2>
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
    </section>
  );
}

function SignedIn({ account: { hub, name } }: { readonly account: HubAccount }) {
  const send = useDashboard((s) => s.send);
  const { pending, blocked } = useCommand('hub');
  const refusal = useDashboard(refusalOf('hub'));
  return (
    <>
      <p>
        Signed in to <span className="mono">{hub}</span> as <strong>{name}</strong>. The private apps of this account
        are in Discover.
      </p>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      <div className="row">
        <Button
          variant="default"
          disabled={blocked}
          loading={pending}
          onClick={() => void send('hub', (call) => call('signOutOfHub'))}
        >
          Sign out
        </Button>
        <span className="muted small">Forgets the token on this machine.</span>
      </div>
    </>
  );
}
