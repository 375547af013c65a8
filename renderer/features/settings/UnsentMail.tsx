import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { headlineOf, mailTextOf } from '../notifications/notice-text.ts';

/** Says which of the news in the bell were not mailed, and why the newest of them was not. */
export function UnsentMail() {
  const revision = useDashboard((s) => s.notifications?.revision ?? 0);
  const notices = useDashboard((s) => s.notices?.value) ?? [];
  const loadNotices = useDashboard((s) => s.loadNotices);
  useWhenConnected(loadNotices, String(revision));
  const [newest, ...others] = notices.filter(({ mailProblem }) => mailProblem !== null);
  if (!newest) return null;
  const isWaiting = newest.mailAgainAt !== null;
  return (
    <Note
      tone={isWaiting ? 'busy' : 'failed'}
      title={`The mail “${headlineOf(newest)}” was not sent${isWaiting ? ' yet' : ''}.`}
    >
      <p>
        <TimeAgo at={newest.at} />. {mailTextOf(newest)}
      </p>
      {others.length > 0 && (
        <p>
          {others.length === 1 ? 'One more was' : `${others.length} more were`} not sent: see Notifications, at the top.
        </p>
      )}
    </Note>
  );
}
