import { HubTrouble } from './errors.ts';

/** Fewer bytes than this are no progress. */
const PROGRESS_BYTES = 1_000;

export interface BodyWatch {
  /** How long to wait for progress. The time that the reader takes does not count. */
  readonly stallMs: number;
  readonly maxBytes: number;
  /** Ends the request that the body belongs to. */
  readonly end: (reason?: unknown) => void;
}

/** Passes a body on as long as it gets on, and no more of it than there may be. @throws HubTrouble */
export async function* watchedBody(
  body: ReadableStream<Uint8Array>,
  { stallMs, maxBytes, end }: BodyWatch,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let progress = 0;
  let leftMs = stallMs;
  try {
    for (;;) {
      const began = performance.now();
      const timer = setTimeout(() => end(stalled(stallMs)), leftMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      leftMs = Math.max(0, leftMs - (performance.now() - began));
      bytes += value.length;
      if (bytes > maxBytes) throw new HubTrouble('broken', 'The hub sends more than it should.');
      progress += value.length;
      if (progress >= PROGRESS_BYTES) {
        progress = 0;
        leftMs = stallMs;
      }
      yield value;
    }
  } finally {
    end();
  }
}

export function stalled(ms: number): HubTrouble {
  return new HubTrouble('stalled', `Nothing came from the hub for ${Math.round(ms / 1000)} seconds.`);
}
