import { Button, Switch } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { AddIcon, SecretIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Section } from '../../parts/Section.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { appliesText } from '../app-needs/need-text.ts';
import { variablesKey } from '../run/CrashNote.tsx';
import { secretHelp, secretText } from './app-text.ts';
import '../../parts/rows.css';
import './app-page.css';

type Editing = { readonly name: string } | 'new' | null;

interface VariablesSectionProps {
  readonly appName: string;
  /** The variable whose form is open at first; null: none. */
  readonly wanted: string | null;
}

export function VariablesSection({ appName, wanted }: VariablesSectionProps) {
  // A reset removes them, and its undo brings them back.
  const resetAt = useDashboard((s) => s.installedApps.find(({ name }) => name === appName)?.reset?.at ?? null);
  const asked = useAskedAfter<readonly AppVariable[]>(resetAt, variablesKey(appName), (call, signal) =>
    call('listAppVariables', { params: { appName }, signal }),
  );
  const running = useDashboard((s) => runOf(s.slot, appName) !== null);
  const [editing, setEditing] = useState<Editing>(wanted === null ? null : { name: wanted });
  const variables = asked.value;
  const edited = typeof editing === 'object' ? (editing?.name ?? null) : null;
  const isNew = editing === 'new' || (edited !== null && !variables?.some(({ name }) => name === edited));
  function done(): void {
    setEditing(null);
    if (wanted !== null) replaceAddress(hrefOf('apps', { appName, tab: 'variables' }));
  }
  return (
    <Section title="Environment variables">
      <p className="muted">{appliesText(running)}</p>
      <LoadedPart of={asked} failure="The variables could not be loaded" rows={1}>
        {(known) =>
          known.length > 0 && (
            <ul className="rows variables" aria-label="Environment variables">
              {known.map((variable) =>
                edited === variable.name ? (
                  <li key={variable.name}>
                    <VariableForm appName={appName} replaces={variable} onDone={done} />
                  </li>
                ) : (
                  <VariableRow
                    key={variable.name}
                    appName={appName}
                    variable={variable}
                    onReplace={() => setEditing({ name: variable.name })}
                  />
                ),
              )}
            </ul>
          )
        }
      </LoadedPart>
      {variables && isNew && <VariableForm appName={appName} replaces={null} suggested={edited ?? ''} onDone={done} />}
      {variables && editing === null && (
        <div>
          <SendButton size="sm" leftSection={<AddIcon size={16} />} onClick={() => setEditing('new')}>
            Add a variable
          </SendButton>
        </div>
      )}
    </Section>
  );
}

/** Sends a command whose reply is the new list. @returns whether the daemon obeyed it */
function useChangeVariables(appName: string) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  return async (command: (call: DaemonClient['call']) => Promise<readonly AppVariable[]>): Promise<boolean> => {
    const variables = await send('variables', command, appName);
    if (variables !== null) setAnswer(variablesKey(appName), variables);
    return variables !== null;
  };
}

interface VariableRowProps {
  readonly appName: string;
  readonly variable: AppVariable;
  readonly onReplace: () => void;
}

function VariableRow({ appName, variable, onReplace }: VariableRowProps) {
  const { name, value, secret, unreadable } = variable;
  const [removing, setRemoving] = useState(false);
  const changeVariables = useChangeVariables(appName);
  async function remove(): Promise<void> {
    setRemoving(true);
    await changeVariables((call) => call('removeAppVariable', { params: { appName, variable: name } }));
    setRemoving(false);
  }
  return (
    <li className="variable-row">
      <span className="mono variable-name">{name}</span>
      {secret ? (
        <span className="muted variable-value row">
          <SecretIcon size={16} /> {secretText(unreadable === true)}
        </span>
      ) : (
        <span className="mono variable-value two-lines">{value || <span className="muted">empty</span>}</span>
      )}
      <span className="row">
        <SendButton onClick={onReplace} aria-label={`Replace ${name}`}>
          Replace
        </SendButton>
        <SendButton
          loading={removing}
          onClick={() => void remove()}
          copies={callAction('Remove', 'removeAppVariable', { params: { appName, variable: name } })}
          aria-label={`Remove ${name}`}
        >
          Remove
        </SendButton>
      </span>
    </li>
  );
}

interface VariableFormProps {
  readonly appName: string;
  /** The variable to replace; null adds one. */
  readonly replaces: AppVariable | null;
  /** The name of a new one, filled in; empty: none. */
  readonly suggested?: string;
  readonly onDone: () => void;
}

const HOLDS_SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)(?:_ID)?$/i;

/** Adds or replaces a variable. A refusal is shown at its field. */
function VariableForm({ appName, replaces, suggested = '', onDone }: VariableFormProps) {
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
  const changeVariables = useChangeVariables(appName);
  const refusal = useDashboard(refusalOf('variables', [appName]));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const input = { params: { appName, variable: name.trim() }, body: { value, secret } };
    if (await changeVariables((call) => call('setAppVariable', input))) onDone();
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
        description={secretHelp}
      />
      <div className="row dialog-actions">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <SendButton commandKey="variables" command={appName} disabled={name.trim() === ''} primary type="submit">
          {replaces ? 'Replace' : 'Add'}
        </SendButton>
      </div>
    </form>
  );
}
