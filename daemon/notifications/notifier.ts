import type { Notice } from '../contract/notifications/notifications.ts';

/** A notification of the system: a title and a text, and what it is about. */
export type PushNotice = Pick<Notice, 'kind' | 'endpoint' | 'title' | 'text'>;

/** Shows notifications outside of the dashboard. Only a host has one: the desktop shows those of the system. */
export interface Notifier {
  /** A failure is logged, and disturbs nothing else. */
  show(notice: PushNotice): void | Promise<void>;
}
