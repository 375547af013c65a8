import { Switch, TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import type { DeployValues } from './deploy-form.ts';

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
