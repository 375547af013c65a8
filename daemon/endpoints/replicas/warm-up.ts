import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { connectionTo, originOf } from '../runtime/replica-connection.ts';

/** Half a minute on a fast machine; a software driver on a busy one takes several. The text of DRIVER_SILENT names it. */
const LONGEST_MS = 10 * 60_000;
/** Characters of ASCII, each a token at most: a driver compiles other programs for many tokens at once than for few. */
const LENGTHS = [2_000, 1_000, 400, 100, 20];
/** For a driver that has compiled them: it only has to answer. */
const LENGTHS_ONCE_COMPILED = [20];
const WORDS = 'The robot turns its head and looks around the room. ';
/** An answer of a few tokens, or the numbers of one embedding. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Sends a replica a request of the kind that it answers, so that its graphics driver compiles now what the first one would
 * wait for. Never rejects.
 * @param how `isCompiled`: the driver has done so before
 * @returns `silent`: it does not answer in time. Else why it gave no answer; null: it did
 */
export async function warmUp(
  { address }: Pick<Replica, 'address'>,
  { image: { llamacpp } }: Pick<EndpointModel, 'image'>,
  {
    clock,
    signal,
    isCompiled,
  }: {
    readonly clock: Pick<Clock, 'timeout'>;
    readonly signal: AbortSignal;
    readonly isCompiled: boolean;
  },
): Promise<'silent' | { readonly problem: string } | null> {
  const { Client } = await import('undici');
  const client = new Client(originOf(address), {
    ...{ ...connectionTo(address), pipelining: 1 },
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  });
  const late = clock.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, late]);
  try {
    let status = 0;
    for (const length of isCompiled ? LENGTHS_ONCE_COMPILED : LENGTHS) {
      const { path, body } = requestFor(
        llamacpp?.mode ?? null,
        WORDS.repeat(length / WORDS.length + 1).slice(0, length),
      );
      const response = await client.request({
        ...{ method: 'POST', path, signal: either },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.body.dump({ limit: MAX_BYTES, signal: either });
      status = response.statusCode;
      if (status !== 400) break; // the text may be longer than the context
    }
    return status === 200 ? null : { problem: `it answered ${status}` };
  } catch (error) {
    return late.aborted && !signal.aborted ? 'silent' : { problem: (error as Error).message };
  } finally {
    await client.destroy();
  }
}

function requestFor(mode: 'embeddings' | 'reranking' | null, text: string): { path: string; body: object } {
  switch (mode) {
    case 'embeddings':
      return { path: '/v1/embeddings', body: { input: text } };
    case 'reranking':
      return { path: '/v1/rerank', body: { query: text.slice(0, 20), documents: [text] } };
    case null:
      return { path: '/v1/completions', body: { prompt: text, max_tokens: 4, temperature: 0 } };
  }
}
