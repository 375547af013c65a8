import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { DaemonClient } from '../../../daemon/client/calls.ts';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Session } from '../../../daemon/contract/session.ts';
import { codeIn, exchangeCode, mayBeCode } from '../../api/sign-in-code.ts';
import { isInWindow, signInHere } from '../../navigation/in-window.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu } from '../../parts/actions/CopyMenu.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { AppsIcon, RobotIcon } from '../../parts/icons.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CODE_REFUSED, CODE_SOURCE, TOKEN_TOO } from './session-text.ts';
import './token-form.css';

export interface SignInFormProps {
  /** The daemon answers nobody who is not signed in, so that the page has lost it. */
  readonly isLost?: boolean;
}

/** Signs a browser in by a code that a signed-in dashboard shows, or by a token. */
export function SignInForm({ isLost = false }: SignInFormProps) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const reconnectNow = useDashboard((s) => s.reconnectNow);
  const reopenEvents = useDashboard((s) => s.reopenEvents);
  const connected = useDashboard(isConnected);
  const { pending } = useCommand('session', 'sign-in');
  const refusal = useDashboard(refusalOf('session', ['sign-in']));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  useEffect(() => () => dismissRefusal('session'), [dismissRefusal]);
  /** The daemon sets a cookie; the page does not keep what was typed. */
  async function signIn(text: string): Promise<void> {
    const code = codeIn(text);
    const by = code === null ? byToken(text) : byCode(code);
    const session = await send('session', by, 'sign-in');
    if (!session) return;
    setAnswer(sessionKey, session);
    if (isLost) reconnectNow();
    else reopenEvents(); // else the page would not hear of the end of its session
  }
  return (
    <TokenForm
      label="Code or token of the daemon"
      placeholder="K7QF-2MXP-9TWD"
      icon={<RobotIcon size={16} />}
      isReadable={mayBeCode}
      action={pending ? 'Signing in…' : 'Sign this browser in'}
      disabled={pending || !(connected || isLost)}
      refusal={refusal?.message}
      onChange={() => dismissRefusal('session')}
      onToken={(text) => void signIn(text)}
      more={
        <>
          {isInWindow && (
            <SmallButton size="sm" onClick={signInHere}>
              Sign this window in
            </SmallButton>
          )}
          <CopyMenu of="this form" actions={[{ title: 'Sign in', command: ownCommands.signIn, request: null }]} />
        </>
      }
    >
      {CODE_SOURCE} {TOKEN_TOO}
    </TokenForm>
  );
}

type SignIn = (call: DaemonClient['call']) => Promise<Session>;

const byToken =
  (token: string): SignIn =>
  (call) =>
    call('signIn', { body: { token } });

const byCode =
  (code: string): SignIn =>
  async (call) => {
    await exchangeCode(code);
    const session = await call('getSession').catch((error: unknown) => {
      if (error instanceof DaemonError && error.status === 401) return null;
      throw error;
    });
    if (!session?.signedIn) throw new DaemonError(401, CODE_REFUSED);
    return session;
  };

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
  /** Where the token comes from, or how it looks. Tells it from other tokens, with the icon. */
  readonly placeholder: string;
  readonly icon: ReactNode;
  readonly description?: string;
  /** Whether what is typed so far is no secret; by default it is one. */
  readonly isReadable?: (typed: string) => boolean;
  readonly action: string;
  readonly disabled: boolean;
  readonly refusal: string | undefined;
  readonly onChange: () => void;
  readonly onToken: (token: string) => void;
  /** Beside the button. */
  readonly more?: ReactNode;
}

/** Asks for a token in a password field. */
function TokenForm({
  children,
  label,
  placeholder,
  icon,
  description,
  isReadable = () => false,
  action,
  disabled,
  refusal,
  more,
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
        type={isReadable(token) ? 'text' : 'password'}
        label={label}
        placeholder={placeholder}
        leftSection={icon}
        description={description}
        value={token}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={refusal}
        data-autofocus
      />
      <div className="row">
        <Button type="submit" disabled={disabled || token.trim() === ''}>
          {action}
        </Button>
        {more}
      </div>
    </form>
  );
}
