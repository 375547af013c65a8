import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { DEFAULT_THRESHOLDS } from '../../../daemon/contract/compute/scaling-limits.ts';
import { type Balancing, balancingOf } from '../../../daemon/contract/endpoints/balancing.ts';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/CopyMenu.tsx';
import { type Choice, RadioList } from '../../parts/forms/RadioList.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AccessField, ReplicaFields } from '../deploy/EndpointFields.tsx';
import {
  canSleep,
  changeOf,
  fieldOf,
  type Measure,
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
          description={`Above it, another one starts. Empty: ${usualThreshold}.`}
          placeholder={usualThreshold}
          inputMode="decimal"
        />
      </div>
      <RadioList
        legend="A request goes to"
        choices={balancingOf(endpoint) === stateless.value ? [...rules, stateless] : rules}
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

/** The measures that start more replicas, and the name of the threshold of each. */
const measures = [
  {
    value: 'pendingRequests',
    label: 'The number of requests',
    threshold: 'Requests for each replica',
    description: 'Those that are answered or wait at the same time.',
  },
  {
    value: 'hardwareUsage',
    label: 'The use of the hardware',
    threshold: 'Percent in use',
    description:
      'Of the processors, or of the graphics card, which all replicas share: 80\u00a0% allows two, 25\u00a0% four.',
  },
] as const satisfies readonly (Choice<Measure> & { threshold: string })[];

/** The rules by which a replica is chosen. */
const rules = [
  { value: 'random', label: 'Any of them', description: 'By chance.' },
  {
    value: 'least_connections',
    label: 'The one with the fewest requests',
    description: 'Short answers do not wait behind long ones.',
  },
  {
    value: 'sticky',
    label: 'The same one for each caller',
    description: 'It may remember the beginning of a chat, and answer sooner.',
  },
  {
    value: 'mcp',
    label: 'The same one for each MCP session',
    description: 'For servers of tools that keep a session.',
  },
] as const satisfies readonly Choice<Balancing>[];

/** Only programs set it: it is offered where it is set. */
const stateless = {
  value: 'mcp-stateless',
  label: 'Any of them, as MCP without sessions',
  description: 'As a program has set it.',
} as const;
