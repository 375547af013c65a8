import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { PauseIcon, RemoveIcon, SleepIcon, StartIcon } from '../../parts/icons.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { type EndpointCommand, endpointCommandKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeleteEndpoint } from './DeleteEndpoint.tsx';
import { isResumeAdvised } from './EndpointFailureNote.tsx';
import { commandsFor, commandText } from './endpoint-text.ts';

const icons = { pause: PauseIcon, resume: StartIcon, sleep: SleepIcon, delete: RemoveIcon };

interface EndpointControlsProps {
  readonly ownEndpoint: OwnEndpoint;
  /** The endpoint's name for a person: buttons that look alike are told apart by it. */
  readonly name: string;
  readonly onDeleted?: () => void;
}

/** The buttons for the commands that the endpoint's state allows. */
export function EndpointControls({ ownEndpoint, name, onDeleted }: EndpointControlsProps) {
  const [deleting, setDeleting] = useState(false);
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  return (
    <div className="row endpoint-controls">
      {commandsFor(ownEndpoint.endpoint).map((command) => (
        <CommandButton
          key={command}
          ownEndpoint={ownEndpoint}
          name={name}
          command={command}
          onPress={() => void sendEndpointCommand(ownEndpoint, command)}
        />
      ))}
      <CommandButton ownEndpoint={ownEndpoint} name={name} command="delete" onPress={() => setDeleting(true)} />
      <Modal
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${name}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DeleteEndpoint ownEndpoint={ownEndpoint} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      </Modal>
    </div>
  );
}

interface CommandButtonProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly name: string;
  readonly command: EndpointCommand;
  readonly onPress: () => void;
}

function CommandButton({ ownEndpoint, name, command, onPress }: CommandButtonProps) {
  // Not those of other commands: the button of the new state may appear before the reply.
  const pending = useDashboard(isPending(endpointCommandKey(ownEndpoint), command));
  const connected = useDashboard(isConnected);
  const Icon = icons[command];
  const text = commandText(command, ownEndpoint.endpoint);
  return (
    <Button
      variant={command === 'resume' && isResumeAdvised(ownEndpoint) ? 'filled' : 'default'}
      size="compact-sm"
      leftSection={<Icon size={14} />}
      disabled={!connected || pending}
      loading={pending}
      onClick={onPress}
      aria-label={`${text} ${name}`.replace('…', '')}
    >
      {text}
    </Button>
  );
}
