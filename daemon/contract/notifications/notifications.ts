import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';
import { EndpointName, Namespace } from '../endpoints/endpoint.ts';

/** An event in the life of an endpoint. `endpoint-asleep`: it fell asleep after a failure. */
export const NoticeKind = z.enum(['endpoint-running', 'endpoint-failed', 'endpoint-update-failed', 'endpoint-asleep']);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** An entry of the bell's list. */
export const Notice = named('Notice', {
  id: z.string(),
  kind: NoticeKind,
  endpoint: z.object({ namespace: Namespace, name: EndpointName }),
  /** One sentence without details: `lab/chat failed.` */
  title: z.string(),
  /** The cause and what to do. */
  text: z.string(),
  /** The last time. */
  at: Timestamp,
  /** The first of the times that this entry stands for. */
  firstAt: Timestamp,
  /** How often it happened; repetitions within ten minutes are one entry. */
  times: z.int().min(1),
  seen: z.boolean(),
  /** Why the mail about it was not sent; null: it was sent, or none was wanted. */
  mailProblem: z.string().nullable(),
  /** When the mail is sent again that could not be sent for the moment; null: it is not. */
  mailAgainAt: Timestamp.nullable().default(null),
});
export type Notice = z.infer<typeof Notice>;

/** The state of the bell. Pages fetch the list again when the revision grows. */
export const NotificationsStatus = named('NotificationsStatus', {
  /** The number of entries that nobody has seen. */
  unseen: z.int(),
  revision: z.int(),
  /** The newest entry that nobody has seen, for screen readers; null: none. */
  newest: Notice.nullable(),
  /** Whether a mail server is set up. */
  canMail: z.boolean(),
});
export type NotificationsStatus = z.infer<typeof NotificationsStatus>;

/** The entries, newest first. */
export const NoticeList = named('NoticeList', { notices: z.array(Notice) });
