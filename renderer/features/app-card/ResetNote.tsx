import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { minuteTime } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ConfirmNote } from '../run/StartRefusal.tsx';
import { replaceText, untilText } from './reset-text.ts';

interface ResetNoteProps {
  readonly app: InstalledApp;
  readonly onUndone?: () => void;
}

/** Says that an app was reset, and undoes that; asks first where something newer would be lost. Nothing without a reset. */
export function ResetNote({ app: { name, reset }, onUndone = () => {} }: ResetNoteProps) {
  const title = useDashboard((s) => titleOf(s, name));
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  const refusal = useDashboard(refusalOf(`app ${name}`, ['undoReset']));
  const replacing = useDashboard(isPending(`app ${name}`, 'undoResetReplacing'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const isQuestion = refusal?.code === 'saved-since-reset';
  if (!reset) return null;

  async function undo(command: 'undoReset' | 'undoResetReplacing'): Promise<void> {
    if (await sendAppCommand(name, command)) onUndone();
  }

  return (
    <>
      <Note
        tone="idle"
        title={
          <>
            <Foreign>{title}</Foreign> was reset.
          </>
        }
        actions={
          <>
            <SendButton
              commandKey={`app ${name}`}
              command="undoReset"
              disabled={running || isQuestion}
              onClick={() => void undo('undoReset')}
              copies={callAction('Undo the reset', 'undoAppReset', { params: { appName: name } })}
            >
              Undo the reset
            </SendButton>
            <span className="muted">
              <TimeAgo at={reset.at} />
            </span>
          </>
        }
      >
        <p>{untilText(minuteTime(reset.until), running)}</p>
      </Note>
      {isQuestion && (
        <ConfirmNote
          question={refusal.message}
          answer={replaceText}
          pending={replacing}
          onConfirm={() => void undo('undoResetReplacing')}
          onCancel={() => dismissRefusal(`app ${name}`)}
        />
      )}
      <RefusalNote
        commandKey={`app ${name}`}
        commands={isQuestion ? ['undoResetReplacing'] : ['undoReset', 'undoResetReplacing']}
      />
    </>
  );
}
