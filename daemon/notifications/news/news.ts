import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Notice } from '../../contract/notifications/notifications.ts';

/** Something that a person may want to hear of. */
export interface News extends Pick<Notice, 'kind' | 'endpoint' | 'title' | 'text'> {
  readonly at: Date;
  readonly isFailure: boolean;
  /** It is in the bell already; channels were switched on since. */
  readonly isKnown: boolean;
  /** The channels that its owner has asked for. */
  readonly wants: { readonly push: boolean; readonly email: boolean };
}

/** News that a channel has not delivered: earlier ones of the same kind, or any of an hour with too many. */
export interface HeldBack {
  readonly count: number;
  /** The time of the first of them. */
  readonly since: Date;
  /** Their titles, if they are about other endpoints. */
  readonly titles?: readonly string[];
}

/** News with the same key are repetitions. */
export const newsKey = ({ kind, endpoint }: Pick<News, 'kind' | 'endpoint'>): string =>
  `${kind} ${endpointId(endpoint)}`;
