import { Button, Modal, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { PauseIcon, RemoveIcon, SleepIcon, StartIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointCommandKey, endpointOperations } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useAppsUsing } from './AppsUsing.tsx';
import { isResumeAdvised } from './EndpointFailureNote.tsx';
import { commandsFor, commandText } from './endpoint-text.ts';

const icons = { pause: PauseIcon, resume: StartIcon, sleep: SleepIcon, delete: RemoveIcon };

interface EndpointControlsProps {
  readonly ownEndpoint: OwnEndpoint;
  /** The endpoint's name for a person: it distinguishes buttons that look alike. */
  readonly name: string;
  readonly onDeleted?: () => void;
}

/** The buttons for the commands that the endpoint's state allows, and a menu that copies them. */
export function EndpointControls({ ownEndpoint, name, onDeleted }: EndpointControlsProps) {
  const [deleting, setDeleting] = useState(false);
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  const { namespace, endpoint } = ownEndpoint;
  const commands = [...commandsFor(endpoint), 'delete'] as const;
  const params = { namespace, name: endpoint.name };
  return (
    <div className="row endpoint-controls">
      {commands.map((command) => {
        const Icon = icons[command];
        const text = commandText(command, endpoint);
        return (
          <SendButton
            key={command}
            commandKey={endpointCommandKey(ownEndpoint)}
            // Not the other commands: the button of the new state may appear before the reply.
            command={command}
            variant={command === 'resume' && isResumeAdvised(ownEndpoint) ? 'filled' : 'default'}
            leftSection={<Icon size={14} />}
            onClick={() => (command === 'delete' ? setDeleting(true) : void sendEndpointCommand(ownEndpoint, command))}
            aria-label={`${text} ${name}`.replace('…', '')}
          >
            {text}
          </SendButton>
        );
      })}
      <CopyMenu
        compact
        of={name}
        actions={commands.map((command) =>
          callAction(commandText(command, endpoint).replace('…', ''), endpointOperations[command], { params }),
        )}
      />
      <Modal opened={deleting} onClose={() => setDeleting(false)} title={`Delete ${name}`}>
        <DeleteEndpoint ownEndpoint={ownEndpoint} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      </Modal>
    </div>
  );
}

interface DeleteEndpointProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

/** Says what a delete does and which apps lose the endpoint, and asks for its name. */
function DeleteEndpoint({ ownEndpoint, onClose, onDeleted }: DeleteEndpointProps) {
  const { namespace, endpoint } = ownEndpoint;
  const { name, model } = endpoint;
  const [typed, setTyped] = useState('');
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  const pending = useDashboard(isPending(endpointCommandKey(ownEndpoint)));
  const connected = useDashboard(isConnected);
  const apps = useAppsUsing({ namespace, name });
  async function remove(): Promise<void> {
    if (!(await sendEndpointCommand(ownEndpoint, 'delete'))) return;
    onClose();
    onDeleted?.();
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === name && connected && !pending) void remove();
      }}
    >
      <p>
        Its address stops answering; the files of <span className="mono">{model.repository}</span> stay on this machine.
        This cannot be undone.
      </p>
      {apps.length > 0 && (
        <p>
          {apps.length === 1 ? 'This app loses it' : 'These apps lose it'}:{' '}
          {apps.map(({ name: appName, title }, index) => (
            <Fragment key={appName}>
              {index > 0 && ', '}
              <Foreign as="strong">{title}</Foreign>
            </Fragment>
          ))}
          .
        </p>
      )}
      <TextInput
        label={`Type ${name} to delete it`}
        classNames={{ input: 'mono' }}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <RefusalNote commandKey={endpointCommandKey(ownEndpoint)} commands={['delete']} fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <SendButton primary type="submit" loading={pending} disabled={typed.trim() !== name}>
          Delete {name}
        </SendButton>
      </div>
    </form>
  );
}
