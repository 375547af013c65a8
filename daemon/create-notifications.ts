import { hostname } from 'node:os';
import type { BaseParts } from './create-base.ts';
import { MailRecord } from './notifications/mail/mail-record.ts';
import { Mailer } from './notifications/mail/mailer.ts';
import { NoticeBoard } from './notifications/notice-board.ts';
import { Notifications } from './notifications/notifications.ts';

/** Composes the bell, the mail and the host's notifications. Nothing is read until `notifications.load`. */
export function createNotifications({ options, paths, secrets, publish, clock, log }: BaseParts) {
  const mailer: Mailer = new Mailer({
    record: new MailRecord({ file: paths.mailFile, secrets, log }),
    machine: hostname(),
    onChanged: () => board.publish(),
    clock,
    log,
  });
  const board = new NoticeBoard({ file: paths.notificationsFile, canMail: () => mailer.isSetUp, publish, log });
  const { notifier = null } = options;
  return { mailer, board, notifications: new Notifications({ board, mailer, notifier, clock, log }) };
}
