import { Button, Switch, TextInput, type TextInputProps } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NotificationSwitches } from '../notifications/NotificationSwitches.tsx';
import { DeployRefusal } from './DeployRefusal.tsx';
import {
  canSleep,
  configOf,
  type DeployField,
  type DeployProblems,
  type DeployValues,
  defaultValues,
  notificationsOf,
  problemsAt,
  problemsOf,
  type WantedNotifications,
} from './deploy-form.ts';

const types = [
  { value: 'authenticated', label: 'Authenticated', description: 'Anyone with a token of this daemon.' },
  { value: 'public', label: 'Public', description: 'Anyone who can reach it, without a token.' },
  { value: 'private', label: 'Private', description: 'Only its owner.' },
] as const;

interface DeployFormProps {
  readonly suggestedName: string;
  /** The catalog's model; null: a file of this machine. */
  readonly modelId: string | null;
  /** @returns whether the endpoint was created */
  readonly onDeploy: (config: DeployConfig, notifications: WantedNotifications | undefined) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Validates while the user types, by the daemon's own schema. */
export function DeployForm({ suggestedName, modelId, onDeploy, onClose }: DeployFormProps) {
  const [values, setValues] = useState(() => defaultValues(suggestedName));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const problems = useProblems(values);
  const refusal = useDashboard(refusalOf('deploy'));
  const deploying = useDashboard(isPending('deploy'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  // Endpoints of a remote catalog's service run there.
  const hasNotifications = useDashboard((s) => modelId === null || s.catalogSource?.kind !== 'remote');
  const refusedAt = problemsAt(refusal?.issues ?? []);
  useEffect(() => () => dismissRefusal('deploy'), [dismissRefusal]);

  function change(next: Partial<DeployValues>): void {
    dismissRefusal('deploy');
    setValues({ ...values, ...next });
    setTouched(new Set([...touched, ...Object.keys(next)]));
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTouched(new Set(Object.keys(values)));
    if (Object.keys(problems).length > 0) {
      form.current?.querySelector<HTMLElement>(`[name="${Object.keys(problems)[0]}"]`)?.focus();
      return;
    }
    if (!(await onDeploy(configOf(values), notificationsOf(values)))) return;
    onClose();
    navigate(
      hrefOf('models', { tab: 'endpoints', query: new URLSearchParams({ made: values.name.trim() }).toString() }),
    );
  }

  const errorOf = (field: DeployField) => (touched.has(field) ? problems[field] : undefined) ?? refusedAt[field];
  const text = (field: 'name' | 'minReplica' | 'maxReplica' | 'scaleToZeroTimeout' | 'accountId') => ({
    size: 'md',
    name: field,
    value: values[field],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [field]: currentTarget.value }),
    error: errorOf(field),
    errorProps: { role: 'alert' },
    autoComplete: 'off',
    spellCheck: false,
  });
  const sleeps = canSleep(values);
  return (
    <form className="stack deploy-form" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        {...text('name')}
        label="Name"
        description="It cannot be changed later."
        classNames={{ input: 'mono' }}
        data-autofocus
      />
      <RadioList
        legend="Who may use it"
        choices={types}
        chosen={values.type}
        onChoose={(type) => change({ type })}
        error={errorOf('type') ?? null}
      />
      {values.type === 'private' && (
        <PrivateServiceFields values={values} accountId={text('accountId')} onChange={change} />
      )}
      <fieldset className="deploy-replicas">
        <legend>Replicas</legend>
        <TextInput
          {...text('minReplica')}
          label="At least"
          description="0 lets it sleep when idle."
          inputMode="numeric"
        />
        <TextInput {...text('maxReplica')} label="At most" description="More copies when busy." inputMode="numeric" />
        <TextInput
          {...text('scaleToZeroTimeout')}
          label="Sleeps after"
          description={sleeps ? 'Minutes idle.' : 'It always runs.'}
          inputMode="numeric"
          disabled={!sleeps}
        />
      </fieldset>
      {hasNotifications && (
        <NotificationSwitches
          chosen={values.notifications}
          onChange={(notifications) => change({ notifications })}
          onLeave={onClose}
        />
      )}
      {refusal && <DeployRefusal refusal={refusal} modelId={modelId} onClose={onClose} />}
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" disabled={!connected || deploying}>
          {deploying ? 'Deploying…' : 'Deploy'}
        </Button>
      </div>
    </form>
  );
}

/** Validates the form, and asks the daemon whether the name is taken. */
function useProblems(values: DeployValues): DeployProblems {
  const lookUpName = useDashboard((s) => s.lookUpName);
  const name = values.name.trim();
  const taken = useDashboard((s) => s.nameLookedUp?.name === name && s.nameLookedUp.taken);
  const problems = problemsOf(values);
  const isName = problems.name === undefined;
  useEffect(() => {
    if (isName) lookUpName(name);
  }, [lookUpName, name, isName]);
  return taken && isName ? { name: `There is an endpoint "${name}" already.`, ...problems } : problems;
}

const regions = [
  { value: 'us-east-1', label: 'us-east-1' },
  { value: 'eu-west-1', label: 'eu-west-1' },
] as const;

interface PrivateServiceFieldsProps {
  readonly values: DeployValues;
  readonly accountId: TextInputProps;
  readonly onChange: (next: Partial<DeployValues>) => void;
}

/** The fields of a private endpoint's private link. */
function PrivateServiceFields({ values, accountId, onChange }: PrivateServiceFieldsProps) {
  const noteId = useId();
  return (
    <div className="stack private-service">
      <Switch
        label="Use a private link"
        aria-describedby={noteId}
        checked={values.hasPrivateService}
        onChange={({ currentTarget }) => onChange({ hasPrivateService: currentTarget.checked })}
      />
      <p className="muted small" id={noteId}>
        Of no use on this machine, where the endpoint is reached at its address. The choice is kept.
      </p>
      {values.hasPrivateService && (
        <>
          <TextInput
            {...accountId}
            label="Account"
            description="The cloud account that the link starts from."
            classNames={{ input: 'mono' }}
          />
          <RadioList
            legend="Region"
            choices={regions}
            chosen={values.region}
            onChoose={(region) => onChange({ region })}
          />
          <Switch
            label="Shared with other endpoints"
            checked={values.shared}
            onChange={({ currentTarget }) => onChange({ shared: currentTarget.checked })}
          />
        </>
      )}
    </div>
  );
}
