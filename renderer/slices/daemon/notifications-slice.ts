import type { CallInput, DaemonClient } from '../../../daemon/client/calls.ts';
import type { Notice, NotificationsStatus } from '../../../daemon/contract/notifications/notifications.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';
import { callSignedIn, type SessionSlice } from './session-slice.ts';

type MailRequest = CallInput<'setMailSettings'>['body'];

export interface NotificationsSlice {
  /** The state of the bell; null until the first snapshot. */
  readonly notifications: NotificationsStatus | null;
  /** The list of the bell, newest first; null: not asked for yet. Part of the first load, so without a library. */
  readonly notices: Loaded<readonly Notice[]> | null;
  readonly loadNotices: () => Promise<void>;
  readonly markNoticeSeen: (noticeId: string) => Promise<unknown>;
  readonly markNoticesSeen: () => Promise<unknown>;
  readonly clearNotices: () => Promise<unknown>;
  /** Sends the password to the daemon; the store does not keep it. @returns whether it was saved */
  readonly saveMail: (mail: MailRequest) => Promise<boolean>;
  /** @returns whether it was removed */
  readonly removeMail: () => Promise<boolean>;
  /** @returns the recipient of the test mail; null: refused */
  readonly sendTestMail: () => Promise<string | null>;
}

export function createNotificationsSlice(
  set: SetState<NotificationsSlice>,
  get: GetState<SessionSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): NotificationsSlice {
  const sendMail = <T>(command: string, call: () => Promise<T>) => send('mail', () => callSignedIn(get, call), command);
  return {
    notifications: null,
    notices: null,
    loadNotices: () =>
      load<readonly Notice[]>(
        async () => (await daemon.call('listNotices')).notices,
        (next) => set(({ notices }) => ({ notices: next(notices) })),
      ),
    markNoticeSeen: (noticeId) =>
      send('notices', () => daemon.call('markNoticeSeen', { params: { noticeId } }), `seen ${noticeId}`),
    markNoticesSeen: () => send('notices', () => daemon.call('markNoticesSeen'), 'seen'),
    clearNotices: () => send('notices', () => daemon.call('clearNotices'), 'clear'),
    saveMail: async (body) => (await sendMail('save', () => daemon.call('setMailSettings', { body }))) !== null,
    removeMail: async () => (await sendMail('remove', () => daemon.call('removeMailSettings'))) !== null,
    sendTestMail: async () => (await sendMail('test', () => daemon.call('sendTestMail')))?.to ?? null,
  };
}

export const notificationsReducers: Reducers<NotificationsSlice> = {
  snapshot: (_, { snapshot: { notifications } }) => ({ notifications }),
  'notifications.changed': (_, { notifications }) => ({ notifications }),
};
