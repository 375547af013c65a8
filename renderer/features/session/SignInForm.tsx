import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';
import './sign-in.css';

/** How one who has come by another way shows who they are. */
export function SignInForm() {
  const [token, setToken] = useState('');
  const openSession = useDashboard((s) => s.openSession);
  const asked = useDashboard((s) => s.sessionAsked);
  const refusal = useDashboard((s) => s.sessionRefusal);
  const forgetRefusal = useDashboard((s) => s.forgetSessionRefusal);
  const connected = useDashboard(isConnected);
  useEffect(() => forgetRefusal, [forgetRefusal]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    void openSession(token.trim());
  }
  function change(next: string): void {
    forgetRefusal();
    setToken(next);
  }
  return (
    <form className="stack sign-in" onSubmit={submit}>
      <p className="muted">
        Open the address that the daemon printed when it started, or paste a token made with{' '}
        <code>robot-daemon token create</code>.
      </p>
      <TextInput
        size="md"
        type="password"
        label="Token of the daemon"
        value={token}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={refusal?.message}
        errorProps={{ role: 'alert' }}
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <Button type="submit" disabled={!connected || asked || token.trim() === ''}>
          Use this token
        </Button>
      </div>
    </form>
  );
}
