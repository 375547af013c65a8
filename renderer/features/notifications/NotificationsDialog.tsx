import { Modal } from '@mantine/core';
import { useState } from 'react';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { Notice } from '../../../daemon/contract/notifications/notifications.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { exactTime } from '../../parts/format.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AttentionSection } from '../attention/AttentionList.tsx';
import { type FailedEndpoints, useToldFailures } from '../attention/EndpointFailures.tsx';
import { attentionKeys, useAttention } from '../attention/use-attention.ts';
import { headlineOf, hrefOfNotice, mailHeadlineOf, mailTextOf, noNoticesText, noticeTone } from './notice-text.ts';
import { useNotices } from './use-notices.ts';
import './notifications.css';

/** Lists what needs attention, as Home does, and the news of endpoints. All of it counts as read once the dialog is closed. */
export function NotificationsDialog({ onClose }: { readonly onClose: () => void }) {
  const asked = useNotices();
  const attention = useAttention();
  const keys = attentionKeys(attention);
  const close = useReadAndClose(keys, onClose);
  const isTold = useIsTold(attention.failedEndpoints);
  const isNews = (notice: Notice) => notice.mailProblem !== null || !isTold(notice);
  return (
    <Modal opened onClose={close} title="Notifications" size="lg">
      <div className="stack notifications">
        {keys.length > 0 && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its links and buttons are what is pressed
          // biome-ignore lint/a11y/noStaticElementInteractions: the same
          <div onClick={({ target }) => isLink(target) && close()}>
            <AttentionSection attention={attention} />
          </div>
        )}
        <RefusalNote commandKey="notices" />
        <LoadedPart of={asked} failure="They could not be loaded" rows={2}>
          {(notices) => {
            const news = notices.filter(isNews);
            if (news.length === 0) {
              return keys.length === 0 ? (
                <EmptyState title="Nothing new">
                  {noNoticesText}{' '}
                  <a href={hrefOf('activity')} onClick={close}>
                    Activity
                  </a>
                  .
                </EmptyState>
              ) : null;
            }
            return (
              <section className="stack" aria-labelledby="news-title">
                <div className="row bar">
                  <h2 id="news-title">News</h2>
                  <ClearButton />
                </div>
                <ul aria-label="News">
                  {news.map((notice) => (
                    <NoticeRow key={notice.id} notice={notice} told={isTold(notice)} onOpen={close} />
                  ))}
                </ul>
              </section>
            );
          }}
        </LoadedPart>
      </div>
    </Modal>
  );
}

/**
 * Whether the list above has told the failure that a notice is about. One that was dismissed elsewhere is news until the
 * notice was seen, since the bell counts it.
 */
function useIsTold(failed: FailedEndpoints): (notice: Notice) => boolean {
  const { noted, dismissed } = useToldFailures(failed);
  /** Those that have had a note since the list was opened: dismissed on the list, they are gone from it. */
  const [seenHere, setSeenHere] = useState(noted);
  if (noted.some((id) => !seenHere.includes(id))) setSeenHere([...new Set([...seenHere, ...noted])]);
  return ({ endpoint, seen }) => {
    const id = endpointId(endpoint);
    return noted.includes(id) || (dismissed.includes(id) && (seen || seenHere.includes(id)));
  };
}

const isLink = (target: EventTarget) => target instanceof Element && target.closest('a[href^="#"]') !== null;

/** Closes the dialog, and marks all that it has shown as read. */
function useReadAndClose(keys: readonly string[], onClose: () => void): () => void {
  const markRead = useDashboard((s) => s.markRead);
  const unseen = useDashboard((s) => s.notifications?.unseen ?? 0);
  const connected = useDashboard(isConnected);
  const send = useDashboard((s) => s.send);
  return () => {
    markRead(keys);
    if (connected && unseen > 0) void send('notices', (call) => call('markNoticesSeen'), 'seen');
    onClose();
  };
}

function ClearButton() {
  const { blocked } = useCommand('notices');
  return (
    <SendButton commandKey="notices" command="clear" disabled={blocked} sends={(call) => call('clearNotices')}>
      Clear
    </SendButton>
  );
}

interface NoticeRowProps {
  readonly notice: Notice;
  /** Whether the list above tells the failure: here is only that it could not be mailed. */
  readonly told: boolean;
  readonly onOpen: () => void;
}

function NoticeRow({ notice, told, onOpen }: NoticeRowProps) {
  const { kind, text, at, firstAt, times, seen } = notice;
  const headline = told ? mailHeadlineOf(notice) : headlineOf(notice);
  const mailText = mailTextOf(notice);
  return (
    <li className={seen ? 'notice' : 'notice notice-new'}>
      <StateMark tone={noticeTone[kind]} />
      <div className="notice-text">
        <p>
          <a href={hrefOfNotice(notice)} onClick={onOpen}>
            {headline}
          </a>{' '}
          <span className="muted small">
            <TimeAgo at={at} />
            {!seen && ' · new'}
          </span>
        </p>
        {!told && text && <p className="small">{text}</p>}
        {!told && times > 1 && (
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
    </li>
  );
}
