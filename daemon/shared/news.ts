import type { Notice } from '../contract/notifications/notifications.ts';

/** Something that a person may want to hear of: a change of an endpoint. */
export interface News extends Pick<Notice, 'kind' | 'endpoint'> {
  /** One sentence: `lab/chat failed.` */
  readonly title: string;
  /** The cause and what to do. */
  readonly text: string;
  readonly at: Date;
  readonly isFailure: boolean;
  /** It is in the bell already; channels were switched on since. */
  readonly isKnown: boolean;
  /** The channels that its owner has asked for. */
  readonly wants: { readonly push: boolean; readonly email: boolean };
}
