import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OwnApp, PublicationPreview } from '../../../daemon/contract/apps/own-apps.ts';
import { Fact } from '../../parts/Fact.tsx';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChangeTable } from './ChangeTable.tsx';
import { OverwriteChoice } from './OverwriteChoice.tsx';
import { leadText, publishLabel, type Visibility, versionsText, visibilities, visibilityOf } from './publish-text.ts';

interface PublishFormProps {
  readonly app: OwnApp;
  readonly preview: PublicationPreview;
  readonly onClose: () => void;
}

/** Says what becomes public, and publishes it. The progress is shown on the page. */
export function PublishForm({ app: { id }, preview, onClose }: PublishFormProps) {
  const [chosen, setChosen] = useState<Visibility>('private');
  const [overwrite, setOverwrite] = useState(false);
  const box = useFocusWhenShown<HTMLDivElement>();
  const publishOwnApp = useDashboard((s) => s.publishOwnApp);
  const pending = useDashboard(isPending(`own-app ${id}`, 'publish'));
  const connected = useDashboard(isConnected);
  const { exists, changes, changedElsewhere } = preview;
  const visibility = visibilityOf(preview, chosen);
  const isNothing = exists && changes.length === 0;
  const isAllowed = !isNothing && (!changedElsewhere || overwrite);

  async function publish(): Promise<void> {
    const choices = { ...(!exists && { visibility }), ...(changedElsewhere && { overwrite }) };
    if (await publishOwnApp(id, choices)) onClose();
  }

  return (
    <div ref={box} className="stack">
      <p className="publish-lead">
        {isNothing
          ? 'The Space has the same files already. There is nothing to publish.'
          : leadText(preview, visibility)}
      </p>
      {preview.private === null && (
        <RadioList legend="Who may see it" choices={visibilities} chosen={chosen} onChoose={setChosen} />
      )}
      <PreviewFacts preview={preview} />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      {changedElsewhere && <OverwriteChoice checked={overwrite} onChange={setOverwrite} />}
      <RefusalNote commandKey={`own-app ${id}`} commands={['publish']} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} {...(exists && { 'data-autofocus': true })}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {!isNothing && (
          <Button disabled={!connected || pending || !isAllowed} loading={pending} onClick={() => void publish()}>
            {publishLabel(preview, visibility)}
          </Button>
        )}
      </div>
    </div>
  );
}

function PreviewFacts({ preview }: { readonly preview: PublicationPreview }) {
  const { account, id, url, exists, private: isPrivate } = preview;
  return (
    <dl className="facts">
      <Fact name="Account">{account}</Fact>
      <Fact name="Space">
        {exists ? (
          <a className="mono" href={url} target="_blank" rel="noopener noreferrer">
            {id}
          </a>
        ) : (
          <>
            <span className="mono">{id}</span>, will be created
          </>
        )}
      </Fact>
      {isPrivate !== null && (
        <Fact name="Visible to">{isPrivate ? 'you only, as on the hub' : 'everyone, as on the hub'}</Fact>
      )}
      <Fact name="Version">{versionsText(preview)}</Fact>
    </dl>
  );
}
