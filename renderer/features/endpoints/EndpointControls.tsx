import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { appsUsing } from '../../../daemon/contract/apps/apps-using.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { ClosedIcon, OpenIcon, PauseIcon, RemoveIcon, SleepIcon, StartIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { type EndpointCommand, endpointCommandKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isResumeAdvised } from './EndpointFailureNote.tsx';
import { commandsFor, commandText } from './endpoint-text.ts';

const icons = { pause: PauseIcon, resume: StartIcon, sleep: SleepIcon, delete: RemoveIcon };

interface EndpointControlsProps {
  readonly ownEndpoint: OwnEndpoint;
  /** The log below the row, with its element's id. */
  readonly log: { readonly id: string; readonly isOpen: boolean; readonly onToggle: () => void };
}

/** The buttons for the log, and for the commands that the endpoint's state allows. */
export function EndpointControls({ ownEndpoint, log }: EndpointControlsProps) {
  const [deleting, setDeleting] = useState(false);
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  return (
    <div className="row endpoint-controls">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={log.isOpen ? <OpenIcon size={14} /> : <ClosedIcon size={14} />}
        aria-expanded={log.isOpen}
        aria-controls={log.id}
        aria-label={`Log of ${ownEndpoint.endpoint.name}`}
        onClick={log.onToggle}
      >
        Log
      </Button>
      {commandsFor(ownEndpoint.endpoint).map((command) => (
        <CommandButton
          key={command}
          ownEndpoint={ownEndpoint}
          command={command}
          onPress={() => void sendEndpointCommand(ownEndpoint, command)}
        />
      ))}
      <CommandButton ownEndpoint={ownEndpoint} command="delete" onPress={() => setDeleting(true)} />
      <Modal
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${ownEndpoint.endpoint.name}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DeleteEndpoint ownEndpoint={ownEndpoint} onClose={() => setDeleting(false)} />
      </Modal>
    </div>
  );
}

interface CommandButtonProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly command: EndpointCommand;
  readonly onPress: () => void;
}

function CommandButton({ ownEndpoint, command, onPress }: CommandButtonProps) {
  // Not those of other commands: the button of the new state may appear before the reply.
  const pending = useDashboard(isPending(endpointCommandKey(ownEndpoint), command));
  const connected = useDashboard(isConnected);
  const Icon = icons[command];
  return (
    <Button
      variant={command === 'resume' && isResumeAdvised(ownEndpoint) ? 'filled' : 'default'}
      size="compact-sm"
      leftSection={<Icon size={14} />}
      disabled={!connected || pending}
      loading={pending}
      onClick={onPress}
      aria-label={`${commandText[command]} ${ownEndpoint.endpoint.name}`.replace('…', '')}
    >
      {commandText[command]}
    </Button>
  );
}

/** Asks for confirmation and says what a delete does. */
function DeleteEndpoint({ ownEndpoint, onClose }: { readonly ownEndpoint: OwnEndpoint; readonly onClose: () => void }) {
  const { namespace, endpoint } = ownEndpoint;
  const { name, model } = endpoint;
  const installed = useDashboard((s) => s.installedApps);
  const apps = appsUsing(installed, { namespace, name });
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  const pending = useDashboard(isPending(endpointCommandKey(ownEndpoint)));
  const connected = useDashboard(isConnected);
  async function remove(): Promise<void> {
    if (!(await sendEndpointCommand(ownEndpoint, 'delete'))) return;
    onClose();
  }
  return (
    <div className="stack">
      <p>
        It serves <span className="mono">{model.repository}</span>. Its address stops answering. The model’s files stay
        on this machine. This cannot be undone.
      </p>
      {apps.length > 0 && (
        <p>
          {apps.length === 1 ? 'This app loses it' : 'These apps lose it'}:{' '}
          <span className="mono">{apps.join(', ')}</span>.
        </p>
      )}
      <RefusalNote commandKey={endpointCommandKey(ownEndpoint)} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button disabled={!connected || pending} loading={pending} onClick={() => void remove()}>
          Delete {name}
        </Button>
      </div>
    </div>
  );
}
