import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OwnApp, PublicationPreview } from '../../../daemon/contract/apps/own-apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { type Asked, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { HubSignInForm } from '../session/SignInForm.tsx';
import {
  changedElsewhereText,
  changedElsewhereTitle,
  changeText,
  leadText,
  nothingNewText,
  publishLabel,
  type Visibility,
  versionsText,
  visibilities,
  visibilityOf,
  writeTokenHelp,
} from './publish-text.ts';
import '../../parts/figures.css';

interface PublishDialogProps {
  readonly app: OwnApp;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Shows what a publication makes public before it does; asks for the sign-in to the hub first, if there is none. */
export function PublishDialog({ app, opened, onClose }: PublishDialogProps) {
  const account = useDashboard((s) => s.hubAccount?.name ?? null);
  const hub = useDashboard((s) => s.hubAccount?.hub);
  return (
    <Modal opened={opened} onClose={onClose} title={`Publish ${app.title}`} size="lg">
      {account === null ? (
        <SignIn>
          Apps are published under your account on {hub ? <span className="mono">{hub}</span> : 'the hub'}. Sign in with
          an access token, which you create there.
        </SignIn>
      ) : (
        <Preview key={account} app={app} account={account} onClose={onClose} />
      )}
    </Modal>
  );
}

function SignIn({ children, onSignedIn }: { readonly children: ReactNode; readonly onSignedIn?: () => void }) {
  const box = useFocusWhenShown<HTMLElement>();
  return (
    <section ref={box} className="stack" aria-labelledby="publish-sign-in">
      <h3 id="publish-sign-in">Sign in to the hub</h3>
      <HubSignInForm description={writeTokenHelp} {...(onSignedIn && { onSignedIn })}>
        {children}
      </HubSignInForm>
    </section>
  );
}

function Preview({ app, account, onClose }: Omit<PublishDialogProps, 'opened'> & { readonly account: string }) {
  const preview = useAsked<PublicationPreview>(['publication', app.id, account], (call, signal) =>
    call('previewPublication', { params: { ownAppId: app.id }, signal }),
  );
  // An answer that was kept from before may be out of date: this one decides what becomes public.
  if (preview.loading) return <Skeleton rows={6} />;
  if (preview.error) return <NoPreview app={app} asked={preview} error={preview.error} />;
  return preview.value && <PublishForm app={app} preview={preview.value} onClose={onClose} />;
}

interface NoPreviewProps {
  readonly app: OwnApp;
  readonly asked: Asked<PublicationPreview>;
  readonly error: NonNullable<Asked<PublicationPreview>['error']>;
}

/** Leads to what keeps the app from being published. */
function NoPreview({ app, asked, error }: NoPreviewProps) {
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const box = useFocusWhenShown<HTMLDivElement>();
  function check(): void {
    void sendOwnAppCommand(app.id, 'check');
    navigate(hrefOf('apps', { ownAppId: app.id, tab: 'check' }));
  }
  if (error.status === 409) return <SignIn onSignedIn={asked.again}>{error.message}</SignIn>;
  if (error.status !== 422) {
    return <FailedNote error={error} title="The Space could not be compared" onRetry={asked.again} />;
  }
  return (
    <div ref={box}>
      <Note tone="failed" urgent title={error.message} actions={<SmallButton onClick={check}>Check it</SmallButton>} />
    </div>
  );
}

interface PublishFormProps {
  readonly app: OwnApp;
  readonly preview: PublicationPreview;
  readonly onClose: () => void;
}

/** Says what becomes public, and publishes it. The progress is shown on the page. */
function PublishForm({ app: { id }, preview, onClose }: PublishFormProps) {
  const [chosen, setChosen] = useState<Visibility>('private');
  const [overwrite, setOverwrite] = useState(false);
  const box = useFocusWhenShown<HTMLDivElement>();
  const publishOwnApp = useDashboard((s) => s.publishOwnApp);
  const { exists, changes, changedElsewhere } = preview;
  const visibility = visibilityOf(preview, chosen);
  const isNothing = exists && changes.length === 0;

  const choices = { ...(!exists && { visibility }), ...(changedElsewhere && { overwrite }) };

  async function publish(): Promise<void> {
    if (await publishOwnApp(id, choices)) onClose();
  }

  return (
    <div ref={box} className="stack">
      <p className="publish-lead">{isNothing ? nothingNewText : leadText(preview, visibility)}</p>
      {preview.private === null && (
        <RadioList legend="Who may see it" choices={visibilities} chosen={chosen} onChoose={setChosen} />
      )}
      <PreviewFacts preview={preview} />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      {changedElsewhere && (
        <Note tone="busy" title={changedElsewhereTitle}>
          <p>{changedElsewhereText}</p>
          <label className="overwrite-choice">
            <input
              type="checkbox"
              checked={overwrite}
              onChange={({ currentTarget }) => setOverwrite(currentTarget.checked)}
            />
            Overwrite the changes made elsewhere
          </label>
        </Note>
      )}
      <RefusalNote commandKey={`own-app ${id}`} commands={['publish']} fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} {...(exists && { 'data-autofocus': true })}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {!isNothing && (
          <SendButton
            commandKey={`own-app ${id}`}
            command="publish"
            disabled={changedElsewhere && !overwrite}
            primary
            onClick={() => void publish()}
            copies={callAction('Publish', 'publishOwnApp', { params: { ownAppId: id }, body: choices })}
          >
            {publishLabel(preview, visibility)}
          </SendButton>
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

/** The files that a publication adds, changes or removes, with their sizes. */
function ChangeTable({ changes }: Pick<PublicationPreview, 'changes'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="change-table" aria-label="Files that differ" tabIndex={0}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Difference</th>
            <th scope="col" className="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, change, bytes }) => (
            <tr key={path}>
              <th scope="row" className="mono">
                <Foreign>{path}</Foreign>
              </th>
              <td>{changeText[change]}</td>
              <td className="number">{change === 'removed' ? '–' : byteText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
