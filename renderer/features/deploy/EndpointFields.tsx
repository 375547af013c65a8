import { Switch, TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import type { EndpointType } from '../../../daemon/contract/endpoints/endpoint.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import type { DeployValues } from './deploy-form.ts';
import {
  accessTypes,
  accountHelp,
  maxReplicaHelp,
  minReplicaHelp,
  privateLinkHelp,
  regions,
  sleepHelp,
} from './deploy-text.ts';

type ReplicaField = 'minReplica' | 'maxReplica' | 'scaleToZeroTimeout';

interface ReplicaFieldsProps {
  /** The value and the error of a field, and what it does when it is edited. */
  readonly field: (name: ReplicaField) => TextInputProps;
  readonly sleeps: boolean;
}

/** Between how many replicas an endpoint has, and when it sleeps. */
export function ReplicaFields({ field, sleeps }: ReplicaFieldsProps) {
  return (
    <fieldset className="deploy-replicas">
      <legend>Replicas</legend>
      <TextInput {...field('minReplica')} label="At least" description={minReplicaHelp} inputMode="numeric" />
      <TextInput {...field('maxReplica')} label="At most" description={maxReplicaHelp} inputMode="numeric" />
      <TextInput
        {...field('scaleToZeroTimeout')}
        label="Sleeps after"
        description={sleepHelp[sleeps ? 'sleeps' : 'never']}
        inputMode="numeric"
        disabled={!sleeps}
      />
    </fieldset>
  );
}

interface AccessFieldProps {
  readonly type: EndpointType;
  readonly onChoose: (type: EndpointType) => void;
  readonly error: string | undefined;
}

export const AccessField = ({ type, onChoose, error }: AccessFieldProps) => (
  <RadioList legend="Who may use it" choices={accessTypes} chosen={type} onChoose={onChoose} error={error ?? null} />
);

interface PrivateServiceFieldsProps {
  readonly values: DeployValues;
  readonly accountId: TextInputProps;
  readonly onChange: (next: Partial<DeployValues>) => void;
}

export function PrivateServiceFields({ values, accountId, onChange }: PrivateServiceFieldsProps) {
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
        {privateLinkHelp}
      </p>
      {values.hasPrivateService && (
        <>
          <TextInput {...accountId} label="Account" description={accountHelp} classNames={{ input: 'mono' }} />
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
