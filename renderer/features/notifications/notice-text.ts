import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { Notice } from '../../../daemon/contract/notifications/notifications.ts';
import { hrefOf } from '../../navigation/route.ts';
import { exactTime } from '../../parts/format.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';

/** `Notifications, 2 new` */
export const bellText = (unread: number): string => (unread === 0 ? 'Notifications' : `Notifications, ${unread} new`);

export const noticeTone: Readonly<Record<Notice['kind'], Tone>> = {
  'endpoint-running': 'running',
  'endpoint-failed': 'failed',
  'endpoint-update-failed': 'failed',
  'endpoint-asleep': 'asleep',
};

/** `lab/chat failed` */
export const headlineOf = ({ title }: Notice): string => title.replace(/\.$/, '');

/** `Mail about lab/chat`, where its failure is told above. */
export const mailHeadlineOf = ({ endpoint }: Notice): string => `Mail about ${endpointId(endpoint)}`;

export const hrefOfNotice = ({ endpoint: { namespace, name } }: Notice): string =>
  hrefOf('models', { endpointId: `${namespace}/${name}` });

/** Why the mail about it was not sent, and when the next try is; null: it was sent, or none was wanted. */
export function mailTextOf({ mailProblem, mailAgainAt }: Notice): string | null {
  if (mailProblem === null || mailAgainAt === null) return mailProblem;
  return `${mailProblem} The next try is at ${exactTime(mailAgainAt)}.`;
}

/** For screen readers, when a notice comes: what happened and why. */
export const announcementOf = ({ title, text }: Notice): string => `${title} ${text}`;

/** Before the link to Activity. */
export const noNoticesText = 'Earlier work is in';
/** Under the switches that choose how an endpoint tells its owner. */
export const pushHelp = 'In the bell on every page; failures always appear there.';
export const mailHelp = 'To the recipient in Settings.';
/** Before the link to the settings. */
export const noMailText = 'No mail server is set up.';
