import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StopControl } from '../run/StopControl.tsx';
import { stopFirstText } from './question-text.ts';

interface AppDialogProps {
  readonly app: InstalledApp;
  readonly verb: 'Remove' | 'Reset';
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog about what is done to an app. */
export function AppDialog({ app, verb, opened, onClose, children }: AppDialogProps) {
  const title = useDashboard((s) => titleOf(s, app.name));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <>
          {verb} <Foreign>{title}</Foreign>
        </>
      }
    >
      {children}
    </Modal>
  );
}

interface AppQuestionProps {
  readonly app: InstalledApp;
  readonly command: 'remove' | 'reset';
  /** Follows the app's title on the button. */
  readonly more?: string;
  readonly disabled?: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** Tells the meaning of the command for the app. */
  readonly children: ReactNode;
}

/** Tells what a command does to an app, and asks: an app that runs is stopped first. */
export function AppQuestion({ app: { name }, command, more, disabled = false, ...props }: AppQuestionProps) {
  const title = useDashboard((s) => titleOf(s, name));
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const { verb, call, keep } = calls[command];
  async function send(): Promise<void> {
    if (await sendAppCommand(name, command)) props.onDone();
  }
  return (
    <div className="stack">
      {props.children}
      {running && (
        <div className="row">
          <p>{stopFirstText}</p>
          <StopControl compact />
        </div>
      )}
      <RefusalNote commandKey={`app ${name}`} commands={[command]} fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={props.onClose} data-autofocus>
          {keep}
        </Button>
        <SendButton
          commandKey={`app ${name}`}
          disabled={running || disabled}
          primary
          onClick={() => void send()}
          copies={callAction(verb, call, { params: { appName: name } })}
        >
          {verb} <Foreign>{title}</Foreign>
          {more}
        </SendButton>
      </div>
    </div>
  );
}

const calls = {
  remove: { verb: 'Remove', call: 'removeApp', keep: 'Keep it' },
  reset: { verb: 'Reset', call: 'resetApp', keep: 'Cancel' },
} as const;
