import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CUSTOM_TASK, servesTask } from '../../../daemon/contract/apps/need-tasks.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointRef, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { useCopyOnContext } from '../../parts/actions/CopyOnContext.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointCommandKey, endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { endpointLinkText, endpointMessage, endpointStateText } from '../endpoints/endpoint-text.ts';
import { customTaskText, goneText, isServedByFile, modelFor, noEndpointText } from './need-text.ts';

interface NeedFieldProps {
  readonly appName: string;
  readonly need: AssignedNeed;
  /** null: not loaded yet. */
  readonly endpoints: readonly OwnEndpoint[] | null;
  readonly mayChange: boolean;
  /** Whether the page was opened to choose this one. */
  readonly isWanted: boolean;
  readonly onFocused: () => void;
}

/** Chooses the endpoint for a need of an app, or leads to the deploy of one. */
export function NeedField({ appName, need, endpoints, mayChange, isWanted, onFocused }: NeedFieldProps) {
  // A list that is used by keyboard must not jump back until the event arrives.
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useFieldFocus(isWanted, onFocused);
  const send = useDashboard((s) => s.send);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  const { options, assigned, isGone, fits } = needChoice(need, endpoints);
  const current = need.endpoint ? endpointId(need.endpoint) : '';
  const commandKey = `need ${appName}` as const;
  const inputFor = (value: string) => ({
    params: { appName, need: need.name },
    body: { endpoint: refOf(value) },
  });
  const { onContextMenu, menu } = useCopyOnContext(
    callAction('Choose it', 'assignEndpoint', inputFor(chosen ?? current)),
  );
  async function choose(value: string): Promise<void> {
    setChosen(value);
    const input = inputFor(value);
    const stored = await send(commandKey, (call) => call('assignEndpoint', input), need.name);
    if (stored !== null) dismissRefusal(`start ${appName}`); // it may have been about this need
    setChosen((latest) => (latest === value ? null : latest));
  }
  return (
    <li className="stack tight need">
      <NativeSelect
        ref={field}
        label={
          <>
            <span className="mono">{need.name}</span>
            <span className="muted">
              : {modelFor(need)}
              {need.optional && ', optional'}
            </span>
          </>
        }
        aria-label={`Endpoint for ${need.name}`}
        data={options}
        value={chosen ?? current}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
        disabled={!mayChange || !connected}
        error={isGone && goneText(current)}
        onContextMenu={onContextMenu}
      />
      {menu}
      {assigned && <AssignedState ownEndpoint={assigned} mayChange={mayChange} />}
      <RefusalNote commandKey={commandKey} commands={[need.name]} />
      {endpoints !== null && !fits && <p>{noEndpointText(modelFor(need))}</p>}
      <div className="row">
        <Button
          component="a"
          variant={fits ? 'default' : 'filled'}
          size="compact-sm"
          href={hrefOf('models', { query: new URLSearchParams({ task: need.task }).toString() })}
          aria-label={`Deploy a model for this: ${need.name}`}
        >
          Deploy a model for this
        </Button>
        {isServedByFile(need.task) && (
          <LinkButton
            href={hrefOf('models', { tab: 'machine' })}
            aria-label={`Use your own GGUF file for ${need.name}`}
          >
            Use your own GGUF file
          </LinkButton>
        )}
      </div>
    </li>
  );
}

/** The state of the assigned endpoint, what can be done about it, and a note if it may not suit. */
function AssignedState({ ownEndpoint, mayChange }: { readonly ownEndpoint: OwnEndpoint; readonly mayChange: boolean }) {
  const { word, tone } = endpointStateText(ownEndpoint);
  const { name, status, model, provider } = ownEndpoint.endpoint;
  const commandKey = endpointCommandKey(ownEndpoint);
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  // One that sleeps is woken by the start, and one elsewhere may cost money.
  const isStopped = (status.state === 'paused' || status.state === 'failed') && provider.vendor === 'local';
  return (
    <div className="row need-state">
      <StateWord tone={tone}>{word}</StateWord>
      <span className="muted small">
        {endpointMessage(ownEndpoint)} <a href={endpointHref(ownEndpoint)}>{endpointLinkText(ownEndpoint)}</a>
      </span>
      {isStopped && (
        <SendButton
          commandKey={commandKey}
          disabled={!mayChange}
          onClick={() => void sendEndpointCommand(ownEndpoint, 'resume')}
          aria-label={`Resume ${name}`}
        >
          Resume
        </SendButton>
      )}
      <RefusalNote commandKey={commandKey} commands={['resume']} />
      {model.task === CUSTOM_TASK && <p className="small">{customTaskText}</p>}
    </div>
  );
}

/** Focuses the field on a page that was opened for it. */
function useFieldFocus(isWanted: boolean, onFocused: () => void) {
  const field = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish
  useEffect(() => {
    if (!isWanted) return;
    field.current?.focus();
    // A page that is opened at a field then focuses its heading.
    const atHeading = requestAnimationFrame(() => {
      if (document.activeElement?.tagName === 'H1') field.current?.focus();
      onFocused();
    });
    return () => cancelAnimationFrame(atHeading);
  }, [isWanted]);
  return field;
}

function refOf(value: string): EndpointRef | null {
  const [namespace = '', name = ''] = value.split('/');
  return value === '' ? null : { namespace, name };
}

/**
 * The endpoints that a need may be assigned to, by name.
 * @param endpoints null: not loaded yet
 * @returns the entries of the list, the assigned endpoint (null: none), whether it was deleted, whether any endpoint fits
 */
function needChoice(need: AssignedNeed, endpoints: readonly OwnEndpoint[] | null) {
  const current = need.endpoint && endpointId(need.endpoint);
  const known = endpoints ?? [];
  const assigned = known.find((each) => endpointKey(each) === current) ?? null;
  const isGone = current !== null && endpoints !== null && assigned === null;
  const fitting = known.filter(({ endpoint }) => servesTask(need.task, endpoint.model.task));
  // It may have been changed to another task since.
  const shown = assigned && !fitting.includes(assigned) ? [...fitting, assigned] : fitting;
  const options = shown
    .map((each) => ({ value: endpointKey(each), label: label(need.task, each) }))
    .toSorted((a, b) => a.value.localeCompare(b.value, 'en'));
  const none = { value: '', label: need.optional ? 'None' : 'Choose an endpoint' };
  const missing =
    current === null || assigned ? [] : [{ value: current, label: isGone ? `${current}: deleted` : current }];
  return { options: [none, ...missing, ...options], assigned, isGone, fits: fitting.length > 0 };
}

function label(task: string, ownEndpoint: OwnEndpoint): string {
  const { model } = ownEndpoint.endpoint;
  const served = model.task;
  const note = served === CUSTOM_TASK ? ', custom task' : servesTask(task, served) ? '' : `, serves ${served}`;
  return `${endpointKey(ownEndpoint)}: ${endpointStateText(ownEndpoint).word}, ${model.repository}${note}`;
}
