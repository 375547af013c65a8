import * as z from 'zod';
import { MailRequest, MailSent, MailSettings } from '../notifications/mail-settings.ts';
import { NoticeList } from '../notifications/notifications.ts';
import { at, type Operation, refused } from './operation.ts';

/** The bell of the dashboard, and the mail server. */
export const notificationOperations = {
  listNotices: {
    ...at('GET /api/notifications', NoticeList),
    summary: 'The notifications of the last time, newest first, at most 200',
  },
  markNoticesSeen: {
    saves: true,
    ...at('POST /api/notifications/seen', NoticeList),
    summary: 'Note that a person has seen all notifications',
  },
  markNoticeSeen: {
    saves: true,
    ...at('POST /api/notifications/{noticeId}/seen', NoticeList),
    summary: 'Note that a person has seen a notification',
    params: z.object({ noticeId: z.string().max(64) }),
    refusals: { 404: refused('No such notification') },
  },
  clearNotices: {
    saves: true,
    ...at('DELETE /api/notifications', NoticeList),
    summary: 'Remove all notifications',
  },
  getMailSettings: {
    ...at('GET /api/mail', MailSettings),
    summary: 'The mail server for notifications, without its password',
    caller: 'deployer-of-all',
  },
  setMailSettings: {
    saves: true,
    ...at('PUT /api/mail', MailSettings),
    summary: 'Set the mail server; the password is saved encrypted and never shown again',
    caller: 'deployer-of-all',
    body: MailRequest,
  },
  removeMailSettings: {
    saves: true,
    ...at('DELETE /api/mail', MailSettings),
    summary: 'Forget the mail server and its password',
    caller: 'deployer-of-all',
  },
  sendTestMail: {
    ...at('POST /api/mail/test', MailSent),
    summary: 'Send a mail with the saved settings; replies once the server has taken it',
    caller: 'deployer-of-all',
    refusals: {
      409: refused('No mail server is set up, or its password can no longer be read'),
      502: refused('The mail server cannot be reached, or refuses the mail'),
    },
  },
} as const satisfies Record<string, Operation>;
