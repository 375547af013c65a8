import { useState } from 'react';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useAskAgain, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { headlineOf, mailTextOf } from '../notifications/notice-text.ts';
import { useNotices } from '../notifications/use-notices.ts';
import { MailForm } from './MailForm.tsx';
import { mailReason, mailSignInText, mailText } from './settings-text.ts';
import { useAskedSection } from './use-asked-section.ts';

export function MailSection() {
  const signedIn = useDashboard(isSignedIn);
  const section = useAskedSection('mail', signedIn !== null);
  return (
    <section ref={section} className="card stack" aria-labelledby="mail">
      <h2 id="mail">Mail</h2>
      <p>{mailText}</p>
      {signedIn === null && <p className="muted">Loading…</p>}
      {signedIn === false && <p className="muted">{mailSignInText}</p>}
      {signedIn && <MailSettings />}
    </section>
  );
}

function MailSettings() {
  const { value, error, again } = useAsked(['mail'], (call, signal) => call('getMailSettings', { signal }));
  const askAgain = useAskAgain();
  // Here, since the form starts again with the first save and after the server was forgotten.
  const [saves, setSaves] = useState(0);
  /** Whether the server has accepted a test mail since: mails that were not sent before are no fault of it any more. */
  const [isAccepted, setIsAccepted] = useState(false);
  const changed = (count: number) => {
    setSaves(count);
    setIsAccepted(false);
    void askAgain('mail');
  };
  if (error && value === null) return <FailedNote error={error} title="They could not be loaded" onRetry={again} />;
  if (value === null) return <Skeleton rows={3} />;
  const { mail } = value;
  return (
    <>
      {mail !== null && !isAccepted && <UnsentMail />}
      <MailForm
        key={mail === null ? 'new' : 'saved'}
        saved={mail}
        saves={saves}
        onSaved={() => changed(saves + 1)}
        onAccepted={() => setIsAccepted(true)}
        onRemoved={() => changed(0)}
      />
    </>
  );
}

/** Says which of the news in the bell were not mailed, and why the newest of them was not. */
function UnsentMail() {
  const notices = useNotices().value ?? [];
  const [newest, ...others] = notices.filter(({ mailProblem }) => mailProblem !== null);
  if (!newest) return null;
  const isWaiting = newest.mailAgainAt !== null;
  const { what, action } = mailReason(mailTextOf(newest) ?? '');
  return (
    <Note
      tone={isWaiting ? 'busy' : 'failed'}
      title={`The mail “${headlineOf(newest)}” was not sent${isWaiting ? ' yet' : ''}.`}
    >
      <p>
        <TimeAgo at={newest.at} />. {what} {action}
      </p>
      {others.length > 0 && (
        <p>
          {others.length === 1 ? 'One more was' : `${others.length} more were`} not sent: see Notifications, at the top.
        </p>
      )}
    </Note>
  );
}
