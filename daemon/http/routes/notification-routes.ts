import type { Notice } from '../../contract/notifications/notifications.ts';
import type { Mailer } from '../../notifications/mail/mailer.ts';
import type { NoticeBoard } from '../../notifications/notice-board.ts';
import type { Routes } from './serve-operations.ts';

export interface NotificationServices {
  readonly board: NoticeBoard;
  readonly mailer: Mailer;
}

/** The bell and the mail server. */
export function notificationRoutes({ board, mailer }: NotificationServices) {
  const reply = (notices: readonly Notice[]) => ({ notices: [...notices] });
  return {
    listNotices: () => reply(board.list),
    markNoticesSeen: async () => reply(await board.markAllSeen()),
    markNoticeSeen: async ({ params }) => reply(await board.markSeen(params.noticeId)),
    clearNotices: async () => reply(await board.clear()),
    getMailSettings: () => mailer.settings(),
    setMailSettings: ({ body }) => mailer.set(body),
    removeMailSettings: () => mailer.remove(),
    sendTestMail: () => mailer.test(),
  } satisfies Partial<Routes>;
}
