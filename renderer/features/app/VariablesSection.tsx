import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { AddIcon, SecretIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { VariableForm } from './VariableForm.tsx';
import './variables.css';
import '../../parts/rows.css';

/** The variable being edited. */
type Editing = { readonly name: string } | 'new' | null;

interface VariablesSectionProps {
  readonly appName: string;
  /** The variable whose form is open at first; null: none. */
  readonly wanted: string | null;
}

/** Lists and edits the environment variables of an app. */
export function VariablesSection({ appName, wanted }: VariablesSectionProps) {
  const loaded = useDashboard((s) => s.variables[appName]);
  const loadVariables = useDashboard((s) => s.loadVariables);
  const running = useDashboard((s) => runOf(s.slot, appName) !== null);
  const connected = useDashboard(isConnected);
  const [editing, setEditing] = useState<Editing>(wanted === null ? null : { name: wanted });
  useWhenConnected(loadVariables, appName);
  const variables = loaded?.value;
  const edited = typeof editing === 'object' ? (editing?.name ?? null) : null;
  const isNew = editing === 'new' || (edited !== null && !variables?.some(({ name }) => name === edited));
  function done(): void {
    setEditing(null);
    if (wanted !== null) switchTab(hrefOf('apps', { appName, tab: 'variables' }));
  }
  return (
    <section className="card stack" aria-labelledby="variables">
      <h2 id="variables">Environment variables</h2>
      <p className="muted">
        Applies at the app’s next start.{running && ' It is running: restart it to apply a change.'}
      </p>
      {loaded?.state === 'failed' && (
        <FailedNote
          error={loaded.error}
          title="The variables could not be loaded"
          onRetry={() => void loadVariables(appName)}
        />
      )}
      {!variables && loaded?.state !== 'failed' && <Skeleton rows={1} />}
      {variables && variables.length > 0 && (
        <ul className="rows variables" aria-label="Environment variables">
          {variables.map((variable) =>
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
      )}
      {variables && isNew && <VariableForm appName={appName} replaces={null} suggested={edited ?? ''} onDone={done} />}
      {variables && editing === null && (
        <div>
          <Button
            variant="default"
            leftSection={<AddIcon size={16} />}
            disabled={!connected}
            onClick={() => setEditing('new')}
          >
            Add a variable
          </Button>
        </div>
      )}
    </section>
  );
}

interface VariableRowProps {
  readonly appName: string;
  readonly variable: AppVariable;
  readonly onReplace: () => void;
}

function VariableRow({ appName, variable, onReplace }: VariableRowProps) {
  const { name, value, secret, unreadable } = variable;
  const [removing, setRemoving] = useState(false);
  const removeVariable = useDashboard((s) => s.removeVariable);
  const connected = useDashboard(isConnected);
  async function remove(): Promise<void> {
    setRemoving(true);
    await removeVariable(appName, name);
    setRemoving(false);
  }
  return (
    <li className="variable-row">
      <span className="mono variable-name">{name}</span>
      {secret ? (
        <span className="muted variable-value row">
          <SecretIcon size={16} /> {unreadable ? 'can no longer be read: replace it' : 'stored, not shown'}
        </span>
      ) : (
        <span className="mono variable-value">{value || <span className="muted">empty</span>}</span>
      )}
      <span className="row">
        <Button
          variant="default"
          size="compact-sm"
          disabled={!connected}
          onClick={onReplace}
          aria-label={`Replace ${name}`}
        >
          Replace
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!connected || removing}
          loading={removing}
          onClick={() => void remove()}
          aria-label={`Remove ${name}`}
        >
          Remove
        </Button>
      </span>
    </li>
  );
}
