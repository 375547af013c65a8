import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppContents, AppReset } from '../../../daemon/contract/apps/reset.ts';
import { contentsText } from '../../../daemon/contract/apps/reset-text.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useAsked } from '../../store/use-asked.ts';
import { AppDialog, AppQuestion } from './AppQuestion.tsx';
import { ResetNote } from './ResetNote.tsx';
import { nothingText, removesText, staysText, unlistedText } from './reset-text.ts';
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
  return (
    <AppDialog app={app} verb="Reset" opened={opened} onClose={onClose}>
      <ResetApp app={app} noteOnPage={noteOnPage} onClose={onClose} />
    </AppDialog>
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

function Question({ app, onReset, onClose }: QuestionProps) {
  const { name, reset } = app;
  const asked = useAsked<AppReset>(['app-reset', name, reset?.at ?? null], (call, signal) =>
    call('getAppReset', { params: { appName: name }, signal }),
  );
  const removed = asked.value && contentsText(asked.value.contents);
  return (
    <AppQuestion
      app={app}
      command="reset"
      disabled={removed === null || asked.loading}
      onDone={onReset}
      onClose={onClose}
    >
      <LoadedPart of={asked} failure={unlistedText} rows={3}>
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
    </AppQuestion>
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
      <p>{files > 0 ? removesText(text) : <VariableNames title={`Removes ${text}`} variables={variables} />}</p>
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
      {files > 0 && variables.length > 0 && (
        <p>
          <VariableNames title="Variables" variables={variables} />
        </p>
      )}
    </>
  );
}

function VariableNames({ title, variables }: { readonly title: string; readonly variables: readonly string[] }) {
  return (
    <>
      {title}: <span className="mono anywhere">{variables.join(', ')}</span>
    </>
  );
}
