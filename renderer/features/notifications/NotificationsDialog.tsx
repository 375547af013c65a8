import { Button, Modal } from '@mantine/core';
import type { Notice } from '../../../daemon/contract/notifications/notifications.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { headlineOf, hrefOfNotice, mailTextOf, noticeTone } from './notice-text.ts';
import { useNotices } from './use-notices.ts';
import './notifications.css';

export function NotificationsDialog({ onClose }: { readonly onClose: () => void }) {
  const asked = useNotices();
  return (
    <Modal opened onClose={onClose} title="Notifications" size="lg">
      <div className="stack">
        <RefusalNote commandKey="notices" />
        <LoadedPart of={asked} failure="They could not be loaded" rows={2}>
          {(notices) =>
            notices.length === 0 ? (
              <EmptyState title="No notifications">
                When an endpoint fails, it is listed here. For each endpoint you choose what else is.
              </EmptyState>
            ) : (
              <>
                <ul aria-label="Notifications">
                  {notices.map((notice) => (
                    <NoticeRow key={notice.id} notice={notice} onOpen={onClose} />
                  ))}
                </ul>
                <ListActions />
              </>
            )
          }
        </LoadedPart>
      </div>
    </Modal>
  );
}

function ListActions() {
  const unseen = useDashboard((s) => s.notifications?.unseen ?? 0);
  const { blocked } = useCommand('notices');
  const send = useDashboard((s) => s.send);
  return (
    <div className="row">
      <Button
        variant="default"
        disabled={blocked || unseen === 0}
        onClick={() => void send('notices', (call) => call('markNoticesSeen'), 'seen')}
      >
        Mark all as seen
      </Button>
      <Button
        variant="default"
        disabled={blocked}
        onClick={() => void send('notices', (call) => call('clearNotices'), 'clear')}
      >
        Clear the list
      </Button>
    </div>
  );
}

function NoticeRow({ notice, onOpen }: { readonly notice: Notice; readonly onOpen: () => void }) {
  const { id, kind, text, at, firstAt, times, seen } = notice;
  const send = useDashboard((s) => s.send);
  const connected = useDashboard(isConnected);
  const headline = headlineOf(notice);
  const mailText = mailTextOf(notice);
  const markSeen = () =>
    void send('notices', (call) => call('markNoticeSeen', { params: { noticeId: id } }), `seen ${id}`);
  function open(): void {
    if (!seen) markSeen();
    onOpen();
  }
  return (
    <li className={seen ? 'notice' : 'notice notice-new'}>
      <StateMark tone={noticeTone[kind]} />
      <div className="notice-text">
        <p>
          <a href={hrefOfNotice(notice)} onClick={open}>
            {headline}
          </a>{' '}
          <span className="muted small">
            <TimeAgo at={at} />
            {!seen && ' · new'}
          </span>
        </p>
        {text && <p className="small">{text}</p>}
        {times > 1 && (
          <p className="muted small">
            {times} times since <time dateTime={firstAt}>{exactTime(firstAt)}</time>.
          </p>
        )}
        {mailText !== null && (
          <p className="muted small">
            {notice.mailAgainAt === null ? 'It could not be mailed' : 'Not mailed yet'}: {mailText}
          </p>
        )}
      </div>
      {!seen && (
        <SmallButton disabled={!connected} onClick={markSeen} aria-label={`Mark "${headline}" as seen`}>
          Seen
        </SmallButton>
      )}
    </li>
  );
}
