import type { ReactNode } from 'react';
import { TokenForm } from '../../parts/forms/TokenForm.tsx';
import { AppsIcon } from '../../parts/icons.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface HubSignInFormProps {
  /** The purpose of the sign-in. */
  readonly children: ReactNode;
  /** Where the token comes from and what it must allow. */
  readonly description: string;
  readonly onSignedIn?: () => void;
}

/** Signs this machine in to the hub; another token takes the place of the first. */
export function HubSignInForm({ children, description, onSignedIn }: HubSignInFormProps) {
  const signIn = useDashboard((s) => s.signIn);
  const pending = useDashboard(isPending('hub'));
  const refusal = useDashboard(refusalOf('hub'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  async function send(token: string): Promise<void> {
    if ((await signIn(token)) !== null) onSignedIn?.();
  }
  return (
    <TokenForm
      label="Access token of the hub"
      placeholder="From your account on the hub"
      icon={<AppsIcon size={16} />}
      description={description}
      action={pending ? 'Signing in…' : 'Sign in'}
      disabled={!connected || pending}
      refusal={refusal?.message}
      onChange={() => dismissRefusal('hub')}
      onToken={(token) => void send(token)}
    >
      {children}
    </TokenForm>
  );
}
