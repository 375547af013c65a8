import { Switch, TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import type { EndpointType, PrivateService } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Choice, RadioList } from '../../parts/forms/RadioList.tsx';
import type { DeployValues } from './deploy-form.ts';

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
      <TextInput
        {...field('minReplica')}
        label="At least"
        description="0 lets it sleep when idle."
        inputMode="numeric"
      />
      <TextInput {...field('maxReplica')} label="At most" description="More copies when busy." inputMode="numeric" />
      <TextInput
        {...field('scaleToZeroTimeout')}
        label="Sleeps after"
        description={sleeps ? 'Minutes idle.' : 'It always runs.'}
        inputMode="numeric"
        disabled={!sleeps}
      />
    </fieldset>
  );
}

const types = [
  { value: 'authenticated', label: 'Authenticated', description: 'Anyone with a token of this daemon.' },
  { value: 'public', label: 'Public', description: 'Anyone who can reach it, without a token.' },
  { value: 'private', label: 'Private', description: 'Only its owner.' },
] as const satisfies readonly Choice<EndpointType>[];

interface AccessFieldProps {
  readonly type: EndpointType;
  readonly onChoose: (type: EndpointType) => void;
  readonly error: string | undefined;
}

export const AccessField = ({ type, onChoose, error }: AccessFieldProps) => (
  <RadioList legend="Who may use it" choices={types} chosen={type} onChoose={onChoose} error={error ?? null} />
);

const regions = [
  { value: 'us-east-1', label: 'us-east-1' },
  { value: 'eu-west-1', label: 'eu-west-1' },
] as const satisfies readonly Choice<PrivateService['region']>[];

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
