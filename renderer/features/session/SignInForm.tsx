import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { AppsIcon, RobotIcon } from '../../parts/icons.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NewSignInAddress } from './NewSignInAddress.tsx';
import './token-form.css';

interface SignInFormProps {
  /** The page says elsewhere how to sign in without a token. */
  readonly tokenOnly?: boolean;
}

/** Signs a browser in by a token, and says how to do it without one. */
export function SignInForm({ tokenOnly = false }: SignInFormProps) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const { pending, blocked } = useCommand('session', 'sign-in');
  const refusal = useDashboard(refusalOf('session'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  useEffect(() => () => dismissRefusal('session'), [dismissRefusal]);
  /** The daemon sets a cookie; the page does not keep the token. */
  async function signIn(token: string): Promise<void> {
    const session = await send('session', (call) => call('signIn', { body: { token } }), 'sign-in');
    if (session) setAnswer(sessionKey, session);
  }
  return (
    <div className="stack">
      <TokenForm
        label="Token of the daemon"
        placeholder="rd_…"
        icon={<RobotIcon size={16} />}
        action={pending ? 'Signing in…' : 'Use this token'}
        disabled={blocked}
        refusal={refusal?.message}
        onChange={() => dismissRefusal('session')}
        onToken={(token) => void signIn(token)}
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

interface HubSignInFormProps {
  /** The purpose of the sign-in. */
  readonly children: ReactNode;
  /** Where the token comes from and what it must allow. */
  readonly description: string;
  readonly onSignedIn?: () => void;
}

/** Signs this machine in to the hub; another token takes the place of the first. */
export function HubSignInForm({ children, description, onSignedIn }: HubSignInFormProps) {
  const send = useDashboard((s) => s.send);
  const { pending, blocked } = useCommand('hub');
  const refusal = useDashboard(refusalOf('hub'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  async function signIn(token: string): Promise<void> {
    if (await send('hub', (call) => call('signInToHub', { body: { token } }))) onSignedIn?.();
  }
  return (
    <TokenForm
      label="Access token of the hub"
      placeholder="From your account on the hub"
      icon={<AppsIcon size={16} />}
      description={description}
      action={pending ? 'Signing in…' : 'Sign in'}
      disabled={blocked}
      refusal={refusal?.message}
      onChange={() => dismissRefusal('hub')}
      onToken={(token) => void signIn(token)}
    >
      {children}
    </TokenForm>
  );
}

interface TokenFormProps {
  /** Explains the token's purpose and where to get one. */
  readonly children: ReactNode;
  readonly label: string;
  /** Where the token comes from, or how it begins. Tells it from other tokens, with the icon. */
  readonly placeholder: string;
  readonly icon: ReactNode;
  readonly description?: string;
  readonly action: string;
  readonly disabled: boolean;
  readonly refusal: string | undefined;
  readonly onChange: () => void;
  readonly onToken: (token: string) => void;
}

/** Asks for a token in a password field. */
function TokenForm({
  children,
  label,
  placeholder,
  icon,
  description,
  action,
  disabled,
  refusal,
  ...on
}: TokenFormProps) {
  const [token, setToken] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    on.onToken(token.trim());
  }
  function change(next: string): void {
    on.onChange();
    setToken(next);
  }
  return (
    <form className="stack token-form" onSubmit={submit}>
      <p className="muted">{children}</p>
      <CodeInput
        size="md"
        type="password"
        label={label}
        placeholder={placeholder}
        leftSection={icon}
        description={description}
        value={token}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={refusal}
        data-autofocus
      />
      <div>
        <Button type="submit" disabled={disabled || token.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}
