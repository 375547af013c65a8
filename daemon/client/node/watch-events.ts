import { EventSourceParserStream } from 'eventsource-parser/stream';
import { DaemonEvent } from '../../contract/events.ts';
import { operations } from '../../contract/operations/operations.ts';
import { DaemonError } from '../daemon-error.ts';
import { bearerFetch } from './daemon-at.ts';

/**
 * The events of a daemon, of some kinds, the snapshot first.
 * @param kinds others are not sent
 * @param token for a daemon that requires one of every request
 * @throws DaemonError when the daemon does not answer, or its stream ends; the reason of the signal
 */
export async function* watchEvents<Kind extends DaemonEvent['type']>(
  baseUrl: string,
  kinds: readonly Kind[],
  signal: AbortSignal,
  token?: string,
): AsyncGenerator<Extract<DaemonEvent, { type: Kind }>, never> {
  try {
    const query = new URLSearchParams({ types: kinds.join(',') }).toString();
    const response = await bearerFetch(token)(`${baseUrl}${operations.watchEvents.path}?${query}`, { signal });
    if (!response.ok || !response.body) throw new DaemonError(response.status, 'The daemon sends no events.');
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) {
      const event = JSON.parse(data) as { readonly type: Kind };
      if (!kinds.includes(event.type)) continue; // a heartbeat
      const { data: parsed, error } = DaemonEvent.safeParse(event);
      if (error) throw new DaemonError(response.status, 'The daemon sends other events. It may be of another version.');
      yield parsed as Extract<DaemonEvent, { type: Kind }>;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DaemonError) throw error;
    throw new DaemonError(null, 'The connection to the daemon broke off. It may have been stopped.', [], error);
  }
  throw new DaemonError(null, 'The daemon has ended its events. It may have been stopped.');
}
