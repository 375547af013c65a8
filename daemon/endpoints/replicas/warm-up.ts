import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { connectionTo, originOf } from '../runtime/replica-connection.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';

/** Half a minute on a fast machine; a software driver on a busy one takes several. */
const LONGEST_MS = 10 * 60_000;
/** Characters of ASCII, each a token at most: a driver compiles other programs for many tokens at once than for few. */
const LENGTHS = [2_000, 1_000, 400, 100, 20];
const WORDS = 'The robot turns its head and looks around the room. ';
/** An answer of a few tokens, or the numbers of one embedding. */
const MAX_BYTES = 4 * 1024 ** 2;

interface WarmUpDeps {
  readonly clock: Pick<Clock, 'timeout'>;
  readonly signal: AbortSignal;
}

/**
 * Sends a replica a request of the kind that it answers, so that its graphics driver compiles now what the first one would
 * wait for.
 * @returns why it gave no answer; null: it did. Never rejects
 */
export async function warmUp(
  { address }: Pick<Replica, 'address'>,
  { image: { llamacpp } }: Pick<EndpointModel, 'image'>,
  { clock, signal }: WarmUpDeps,
): Promise<string | null> {
  const { Client } = await import('undici');
  const client = new Client(originOf(address), {
    ...{ ...connectionTo(address), pipelining: 1 },
    ...{ headersTimeout: LONGEST_MS, bodyTimeout: LONGEST_MS },
  });
  const either = AbortSignal.any([signal, clock.timeout(LONGEST_MS)]);
  try {
    let status = 0;
    for (const length of LENGTHS) {
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
    return status === 200 ? null : `it answered ${status}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.destroy();
  }
}

/** The same for a replica that may end meanwhile, of the driver's fault too. A failure is logged. @returns false when it ended */
export async function warmUpToEnd(
  replica: Pick<Replica, 'address' | 'ended'>,
  { id, parts }: Pick<ReplicaSetPlan, 'id' | 'parts'>,
  { clock, signal, log }: WarmUpDeps & { readonly log: Pick<Logger, 'warn'> },
): Promise<boolean> {
  const hasEnded = replica.ended.then(() => 'ended' as const);
  const problem = await Promise.race([warmUp(replica, parts().model, { clock, signal }), hasEnded]);
  if (problem === 'ended') return false;
  if (problem !== null && !signal.aborted) log.warn(`endpoint ${id}: its first answer may take long (${problem})`);
  return true;
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
