import { useEffect } from 'react';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { TokenForm } from '../../parts/forms/TokenForm.tsx';
import { RobotIcon } from '../../parts/icons.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NewSignInAddress } from './NewSignInAddress.tsx';

interface SignInFormProps {
  /** The page says elsewhere how to sign in without a token. */
  readonly tokenOnly?: boolean;
}

/** Signs a browser in by a token, and says how to do it without one. */
export function SignInForm({ tokenOnly = false }: SignInFormProps) {
  const openSession = useDashboard((s) => s.openSession);
  const pending = useDashboard(isPending('session', 'sign-in'));
  const refusal = useDashboard(refusalOf('session'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  useEffect(() => () => dismissRefusal('session'), [dismissRefusal]);
  return (
    <div className="stack">
      <TokenForm
        label="Token of the daemon"
        placeholder="rd_…"
        icon={<RobotIcon size={16} />}
        action={pending ? 'Signing in…' : 'Use this token'}
        disabled={!connected || pending}
        refusal={refusal?.message}
        onChange={() => dismissRefusal('session')}
        onToken={(token) => void openSession(token)}
      >
        Paste a token of this daemon that may deploy. A token of the hub is another one.
      </TokenForm>
      <TokenSource />
      {!tokenOnly && (
        <>
          <p className="muted">Or without a token:</p>
          <NewSignInAddress />
        </>
      )}
    </div>
  );
}

/** The command that creates a token; below the field, which is reached first. */
function TokenSource() {
  const command = useDashboard((s) => s.daemon?.commands?.createToken);
  if (command === undefined) return null;
  return (
    <>
      <p className="muted">No token yet? This command creates one and prints it in a terminal:</p>
      <CommandLine command={command} purpose="creates a token" />
    </>
  );
}
