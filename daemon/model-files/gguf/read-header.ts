import { Worker } from 'node:worker_threads';
import type { Clock } from '../../shared/clock.ts';
import type { GgufHeader } from './gguf-facts.ts';
import type { GgufReply } from './gguf-reader.ts';

/** Several times the time for the largest known vocabulary on a slow machine. */
const LIMIT_MS = 30_000;
/** The parsed strings of the largest known vocabulary take 100 MB. */
const MAX_HEAP_MB = 512;

/** A header that cannot be read. */
export class HeaderUnreadable extends Error {}

/**
 * Parses the header of a GGUF file in a worker thread, which has limits on its time and memory.
 * @param program the file of the worker, gguf-reader
 * @throws HeaderUnreadable, or the reason of the signal
 */
export async function readHeader(
  path: string,
  { program, clock, signal }: { program: string; clock: Clock; signal: AbortSignal },
): Promise<GgufHeader> {
  signal.throwIfAborted();
  const worker = new Worker(program, {
    workerData: path,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<GgufReply>();
  const cancel = clock.after(LIMIT_MS, () => reject(new HeaderUnreadable('reading it takes too long')));
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new HeaderUnreadable('it takes too much memory') : error),
  );
  worker.once('exit', () => reject(new HeaderUnreadable('reading it ended early')));
  try {
    const reply = await promise;
    if ('problem' in reply) throw new HeaderUnreadable(reply.problem);
    return reply.header;
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
