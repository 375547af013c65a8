import { DaemonEvent } from '../../contract/events.ts';

/** Yields the events that a daemon sends to a page: a snapshot first, then changes. No heartbeats. */
export async function* watchDaemon(url: string): AsyncGenerator<DaemonEvent> {
  const leaving = new AbortController();
  try {
    const response = await fetch(`${url}/api/events`, { signal: leaving.signal });
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data === undefined) continue;
        const event = DaemonEvent.parse(JSON.parse(data));
        if (event.type !== 'heartbeat') yield event;
      }
    }
  } finally {
    leaving.abort();
  }
}
