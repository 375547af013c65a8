import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { modelFileName } from '../../../daemon/contract/model-files/model-file-name.ts';
import type { ModelFile } from '../../../daemon/contract/model-files/model-files.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { counted } from '../../parts/format.ts';
import { RemoveIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { useAskAgain, useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { fileName, fileSizeText, fileStateText, inUseHelp, noFilesText } from './machine-text.ts';
import '../../parts/rows.css';

/** The downloaded model files, with their sizes and users; those without a user can be removed. */
export function ModelFilesSection({ mayChange }: { readonly mayChange: boolean }) {
  // An endpoint that starts or goes changes the files or their users.
  const endpoints = useDashboard((s) => JSON.stringify(s.endpointsStatus?.states ?? {}));
  const asked = useAskedAfter(endpoints, ['model-files'], (call, signal) => call('listModelFiles', { signal }));
  const files = asked.value;
  return (
    <Section
      title="Downloaded model files"
      headClass="row bar machine-head"
      beside={files && files.length > 0 && <span className="muted small">{sum(files)}</span>}
    >
      <LoadedPart of={asked} failure="The model files could not be listed" rows={2}>
        {(all) => <FileList files={all} mayChange={mayChange} />}
      </LoadedPart>
    </Section>
  );
}

function sum(files: readonly ModelFile[]): string {
  return `${counted(files.length, 'file')}, ${byteText(files.reduce((total, file) => total + file.bytes, 0))}`;
}

function FileList({ files, mayChange }: { readonly files: readonly ModelFile[]; readonly mayChange: boolean }) {
  if (files.length === 0) {
    return <p className="muted">{noFilesText}</p>;
  }
  return (
    <ul className="machine-rows" aria-label="Downloaded model files">
      {files.map((file) => (
        <FileRow key={file.id} file={file} mayChange={mayChange} />
      ))}
    </ul>
  );
}

function FileRow({ file, mayChange }: { readonly file: ModelFile; readonly mayChange: boolean }) {
  const [removing, setRemoving] = useState(false);
  const { word, tone } = fileStateText(file);
  const name = fileName(modelFileName(file));
  return (
    <li className="row machine-row">
      <div className="machine-row-text">
        <p className="machine-name anywhere">{name}</p>
        <p className="muted small">
          <span className="mono anywhere">{file.repository}</span> · {fileSizeText(file)}
          {file.users.length > 0 && ` · used by ${file.users.join(', ')}`}
        </p>
      </div>
      <StateWord tone={tone} lasting>
        {word}
      </StateWord>
      {mayChange && (
        <SendButton
          disabled={file.users.length > 0}
          leftSection={<RemoveIcon size={14} />}
          title={file.users.length > 0 ? inUseHelp : undefined}
          onClick={() => setRemoving(true)}
          aria-label={`Remove ${name}`}
        >
          Remove…
        </SendButton>
      )}
      <Modal opened={removing} onClose={() => setRemoving(false)} title={`Remove ${name}`}>
        <RemoveFile file={file} onClose={() => setRemoving(false)} />
      </Modal>
    </li>
  );
}

function RemoveFile({ file, onClose }: { readonly file: ModelFile; readonly onClose: () => void }) {
  const send = useDashboard((s) => s.send);
  const askAgain = useAskAgain();
  async function remove(): Promise<void> {
    const params = { fileId: file.id };
    if ((await send(`model-file ${file.id}`, (call) => call('removeModelFile', { params }))) === null) return;
    await askAgain('model-files');
    onClose();
  }
  return (
    <div className="stack">
      <p>
        A deploy that needs <span className="mono">{modelFileName(file)}</span> of{' '}
        <span className="mono">{file.repository}</span> downloads it again.
      </p>
      <RefusalNote commandKey={`model-file ${file.id}`} fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <SendButton commandKey={`model-file ${file.id}`} primary onClick={() => void remove()}>
          Remove it and free {byteText(file.bytes)}
        </SendButton>
        <CopyMenu of="this file" actions={[callAction('Remove', 'removeModelFile', { params: { fileId: file.id } })]} />
      </div>
    </div>
  );
}
