import { useEffect } from 'react';
import { TokenForm } from '../../parts/TokenForm.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

/** How one who has come by another way shows who they are. */
export function SignInForm() {
  const openSession = useDashboard((s) => s.openSession);
  const asked = useDashboard((s) => s.sessionAsked);
  const refusal = useDashboard((s) => s.sessionRefusal);
  const forgetRefusal = useDashboard((s) => s.forgetSessionRefusal);
  const connected = useDashboard(isConnected);
  useEffect(() => forgetRefusal, [forgetRefusal]);
  return (
    <TokenForm
      label="Token of the daemon"
      action="Use this token"
      disabled={!connected || asked}
      refusal={refusal?.message}
      onChange={forgetRefusal}
      onToken={(token) => void openSession(token)}
    >
      Open the address that the daemon printed when it started, or paste a token made with{' '}
      <code>robot-daemon token create</code>.
    </TokenForm>
  );
}
