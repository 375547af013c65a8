import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OwnApp, PublicationPreview } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { type Asked, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { HubSignInForm } from '../session/HubSignInForm.tsx';
import { PublishForm } from './PublishForm.tsx';

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
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Publish ${app.title}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      {account === null ? (
        <SignIn>
          Apps are published under your account on {hub ? <span className="mono">{hub}</span> : 'the hub'}. Sign in with
          an access token.
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
      <HubSignInForm
        description="Create it in your account on the hub, with write access. Stored encrypted on this machine, never shown again."
        {...(onSignedIn && { onSignedIn })}
      >
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
      <Note
        tone="failed"
        urgent
        title={error.message}
        actions={
          <Button variant="default" size="compact-sm" onClick={check}>
            Check it
          </Button>
        }
      />
    </div>
  );
}
