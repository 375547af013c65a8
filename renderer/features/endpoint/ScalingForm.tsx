import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { DEFAULT_THRESHOLDS } from '../../../daemon/contract/compute/scaling-limits.ts';
import { balancingOf } from '../../../daemon/contract/endpoints/balancing.ts';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AccessField, ReplicaFields } from '../deploy/EndpointFields.tsx';
import { balancingRules, measures, statelessRule, thresholdHelp } from './endpoint-page-text.ts';
import {
  canSleep,
  changeOf,
  fieldOf,
  problemsOf,
  type ScalingField,
  type ScalingValues,
  valuesOf,
  withoutEffect,
} from './scaling-form.ts';
import '../models/model-page.css';
import './endpoint-page.css';

/** The replicas of an endpoint, which of them gets a request, and who may use it. Issues are shown at their fields, the daemon's as well. */
export function ScalingForm({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  const commandKey = endpointSettingsKey(detail);
  const [values, setValues] = useStored(valuesOf(endpoint));
  const [sent, setSent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf(commandKey, ['form']));
  useEffect(() => () => dismissRefusal(commandKey), [dismissRefusal, commandKey]);
  const problems = problemsOf(values);
  const change = changeOf(values, endpoint);
  const isAsStored = change === null && Object.keys(problems).length === 0;
  const refused = refusal?.issues.find((issue) => fieldOf(issue) !== undefined);

  function edit(next: Partial<ScalingValues>): void {
    dismissRefusal(commandKey);
    setValues({ ...values, ...next });
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSent(true);
    const [first] = Object.keys(problems);
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    else if (change && (await changeEndpoint(detail, change))) setSent(false);
  }
  const errorOf = (field: ScalingField): string | undefined => {
    const own = values[field].trim() === '' && !sent ? undefined : problems[field];
    const issue = refusal?.issues.find((each) => fieldOf(each) === field);
    return own ?? issue?.message;
  };
  const text = (name: Exclude<ScalingField, 'type'>) => ({
    name,
    value: values[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      edit({ [name]: currentTarget.value }),
    error: errorOf(name),
    errorProps: { role: 'alert' },
    autoComplete: 'off',
  });
  const note = withoutEffect(values);
  const usualThreshold = String(DEFAULT_THRESHOLDS[values.measure]);
  return (
    <form className="card stack" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <h2>Scaling and access</h2>
      <ReplicaFields field={text} sleeps={canSleep(values)} />
      {note !== null && <p className="muted small">{note}</p>}
      <div className="scaling-measure">
        <RadioList
          legend="More replicas are started by"
          choices={measures}
          chosen={values.measure}
          onChoose={(measure) => edit({ measure, threshold: '' })}
        />
        <TextInput
          {...text('threshold')}
          label={measures.find(({ value }) => value === values.measure)?.threshold}
          description={thresholdHelp}
          placeholder={usualThreshold}
          inputMode="decimal"
        />
      </div>
      <RadioList
        legend="A request goes to"
        choices={balancingOf(endpoint) === statelessRule.value ? [...balancingRules, statelessRule] : balancingRules}
        chosen={values.balancing}
        onChoose={(balancing) => edit({ balancing })}
      />
      <AccessField type={values.type} onChoose={(type) => edit({ type })} error={errorOf('type')} />
      {refusal && !refused && <Note tone="failed" urgent title={refusal.message} />}
      <div className="row">
        <SendButton commandKey={commandKey} disabled={isAsStored} primary type="submit">
          Save
        </SendButton>
        <Button
          variant="default"
          disabled={isAsStored}
          onClick={() => {
            setSent(false);
            edit(valuesOf(endpoint));
          }}
        >
          Undo
        </Button>
        {change !== null && Object.keys(problems).length === 0 && (
          <CopyMenu
            of="this form"
            actions={[
              callAction('Save', 'updateEndpoint', { params: { namespace, name: endpoint.name }, body: change }),
            ]}
          />
        )}
      </div>
    </form>
  );
}

/** The values as typed; the stored ones once those change. The fields stay, and the focus in them. */
function useStored(stored: ScalingValues): readonly [ScalingValues, (values: ScalingValues) => void] {
  const storedText = JSON.stringify(stored);
  const [values, setValues] = useState(stored);
  const [shownText, setShownText] = useState(storedText);
  if (shownText !== storedText) {
    setShownText(storedText);
    setValues(stored);
  }
  return [values, setValues];
}
