import { useEffect } from 'react';
import { TokenForm } from '../../parts/TokenForm.tsx';
import { isPending, refusalOf } from '../../store/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

/** How one who has come by another way shows who they are. */
export function SignInForm() {
  const openSession = useDashboard((s) => s.openSession);
  const asked = useDashboard(isPending('session'));
  const refusal = useDashboard(refusalOf('session'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  useEffect(() => () => dismissRefusal('session'), [dismissRefusal]);
  return (
    <TokenForm
      label="Token of the daemon"
      action="Use this token"
      disabled={!connected || asked}
      refusal={refusal?.message}
      onChange={() => dismissRefusal('session')}
      onToken={(token) => void openSession(token)}
    >
      Open the address that the daemon printed when it started, or paste a token made with{' '}
      <code>robot-daemon token create</code>.
    </TokenForm>
  );
}
