import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppContents, AppReset } from '../../../daemon/contract/apps/reset.ts';
import { contentsText } from '../../../daemon/contract/apps/reset-text.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { callAction } from '../../parts/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StopControl } from '../run/StopControl.tsx';
import { ResetNote } from './ResetNote.tsx';
import { nothingText, removesText, staysText } from './reset-text.ts';
import '../../parts/rows.css';
import './reset-dialog.css';

interface ResetAppDialogProps {
  readonly app: InstalledApp;
  readonly opened: boolean;
  /** Whether it closes after the reset: the page has the note that offers the undo. */
  readonly noteOnPage: boolean;
  readonly onClose: () => void;
}

/** Lists what a reset of an app removes, and asks; afterwards offers to undo it, where its page does not. */
export function ResetAppDialog({ app, opened, noteOnPage, onClose }: ResetAppDialogProps) {
  const title = useDashboard((s) => titleOf(s, app.name));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <>
          Reset <Foreign>{title}</Foreign>
        </>
      }
    >
      <ResetApp app={app} noteOnPage={noteOnPage} onClose={onClose} />
    </Modal>
  );
}

function ResetApp({ app, noteOnPage, onClose }: Omit<ResetAppDialogProps, 'opened'>) {
  const [done, setDone] = useState(false);
  if (!done) return <Question app={app} onReset={noteOnPage ? onClose : () => setDone(true)} onClose={onClose} />;
  return (
    <div className="stack">
      <ResetNote app={app} onUndone={onClose} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </div>
  );
}

interface QuestionProps {
  readonly app: InstalledApp;
  readonly onReset: () => void;
  readonly onClose: () => void;
}

function Question({ app: { name, reset }, onReset, onClose }: QuestionProps) {
  const title = useDashboard((s) => titleOf(s, name));
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const asked = useAsked<AppReset>(['app-reset', name, reset?.at ?? null], (call, signal) =>
    call('getAppReset', { params: { appName: name }, signal }),
  );
  const removed = asked.value && contentsText(asked.value.contents);
  async function send(): Promise<void> {
    if (await sendAppCommand(name, 'reset')) onReset();
  }
  return (
    <div className="stack">
      <LoadedPart of={asked} failure="What it has saved could not be listed" rows={3}>
        {({ contents }) => <Contents contents={contents} />}
      </LoadedPart>
      {removed !== null && (
        <p>
          {staysText}
          {reset && (
            <>
              {' '}
              The reset <TimeAgo at={reset.at} /> can then no longer be undone.
            </>
          )}
        </p>
      )}
      {running && (
        <div className="row">
          <p>It is running. Stop it first.</p>
          <StopControl compact />
        </div>
      )}
      <RefusalNote commandKey={`app ${name}`} commands={['reset']} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <SendButton
          commandKey={`app ${name}`}
          disabled={running || removed === null || asked.loading}
          primary
          onClick={() => void send()}
          copies={callAction('Reset', 'resetApp', { params: { appName: name } })}
        >
          Reset <Foreign>{title}</Foreign>
        </SendButton>
      </div>
    </div>
  );
}

/** The number of files and their sum, the largest by name, and the names of the variables. */
function Contents({ contents }: { readonly contents: AppContents }) {
  const { files, more, largest, variables } = contents;
  const text = contentsText(contents);
  if (text === null) return <p>{nothingText}</p>;
  const others = files - largest.length;
  return (
    <>
      <p>{removesText(text)}</p>
      {largest.length > 0 && (
        <ul
          className="rows reset-files small"
          aria-label="Files"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
        >
          {largest.map(({ path, bytes, besideCode }) => (
            <li key={`${besideCode} ${path}`} className="reset-file">
              <span>
                <Foreign className="mono">{path}</Foreign>
                {besideCode && <span className="muted"> beside its code</span>}
              </span>
              <span className="muted">{byteText(bytes)}</span>
            </li>
          ))}
          {others > 0 && <li className="muted">and {more ? 'others' : counted(others, 'smaller file')}</li>}
        </ul>
      )}
      {variables.length > 0 && (
        <p>
          Variables: <span className="mono anywhere">{variables.join(', ')}</span>
        </p>
      )}
    </>
  );
}
