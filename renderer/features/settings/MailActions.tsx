import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MailServer } from '../../../daemon/contract/notifications/mail-settings.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface MailActionsProps {
  readonly saved: MailServer;
  /** Whether the form has what is not saved. */
  readonly isChanged: boolean;
  readonly onRemoved: () => void;
}

/** Sends a test mail with the saved settings, or forgets them. The result of a test is that of the settings as they were. */
export function MailActions({ saved, isChanged, onRemoved }: MailActionsProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sendTestMail = useDashboard((s) => s.sendTestMail);
  const removeMail = useDashboard((s) => s.removeMail);
  const refusal = useDashboard(refusalOf('mail', ['test', 'remove']));
  const pending = useDashboard(isPending('mail'));
  const testing = useDashboard(isPending('mail', 'test'));
  const connected = useDashboard(isConnected);
  async function test(): Promise<void> {
    setSentTo(null);
    setSentTo(await sendTestMail());
  }
  async function remove(): Promise<void> {
    if (await removeMail()) onRemoved();
  }
  return (
    <>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      {sentTo !== null && !refusal && !isChanged && (
        <div role="status">
          <Note tone="done" title={`The server accepted a test mail to ${sentTo}.`}>
            <p>If it does not arrive, look among the unwanted mail.</p>
          </Note>
        </div>
      )}
      <div className="row">
        <Button variant="default" disabled={!connected || pending || isChanged} onClick={() => void test()}>
          {testing ? 'Sending a test mail…' : 'Send a test mail'}
        </Button>
        <Button variant="default" disabled={!connected || pending} onClick={() => void remove()}>
          Forget {saved.host}
        </Button>
        {isChanged && <span className="muted small">A test uses what is saved.</span>}
      </div>
    </>
  );
}
