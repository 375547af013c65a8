import { Button, Switch } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface VariableFormProps {
  readonly appName: string;
  /** The variable to replace; null adds one. */
  readonly replaces: AppVariable | null;
  /** The name of a new one, filled in; empty: none. */
  readonly suggested?: string;
  readonly onDone: () => void;
}

/** The names of variables that hold a secret. */
const HOLDS_SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)(?:_ID)?$/i;

/** Adds or replaces a variable. A refusal is shown at its field. */
export function VariableForm({ appName, replaces, suggested = '', onDone }: VariableFormProps) {
  const [name, setName] = useState(replaces?.name ?? suggested);
  const [value, setValue] = useState(replaces?.value ?? '');
  const [secret, setSecret] = useState(replaces?.secret ?? HOLDS_SECRET.test(suggested));
  const first = useRef<HTMLInputElement>(null);
  const isNamed = replaces !== null || suggested !== '';
  useEffect(() => {
    first.current?.focus();
    // A page that is opened at a variable then focuses its heading.
    const atHeading = requestAnimationFrame(() => document.activeElement?.tagName === 'H1' && first.current?.focus());
    return () => cancelAnimationFrame(atHeading);
  }, []);
  const pending = useDashboard(isPending('variables', appName));
  const setVariable = useDashboard((s) => s.setVariable);
  const refusal = useDashboard(refusalOf('variables', [appName]));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await setVariable(appName, { name: name.trim(), value, secret })) onDone();
  }
  function change(write: () => void): void {
    dismissRefusal('variables');
    write();
  }
  function cancel(): void {
    dismissRefusal('variables');
    onDone();
  }

  const atName = problemAt(refusal, 'variable');
  return (
    <form className="variable-form" onSubmit={(event) => void submit(event)}>
      <CodeInput
        {...(!isNamed && { ref: first })}
        label="Name"
        value={name}
        onChange={({ currentTarget }) => change(() => setName(currentTarget.value))}
        disabled={replaces !== null}
        placeholder="API_KEY"
        error={atName}
      />
      <CodeInput
        {...(isNamed && { ref: first })}
        label={replaces?.secret ? 'New value' : 'Value'}
        type={secret ? 'password' : 'text'}
        value={value}
        onChange={({ currentTarget }) => change(() => setValue(currentTarget.value))}
        error={atName === null ? (refusal?.message ?? null) : null}
      />
      <Switch
        checked={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.checked)}
        label="Secret"
        aria-label="Secret"
        description="Stored encrypted, never shown again."
      />
      <div className="row dialog-actions">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!connected || pending || name.trim() === ''} loading={pending}>
          {replaces ? 'Replace' : 'Add'}
        </Button>
      </div>
    </form>
  );
}
