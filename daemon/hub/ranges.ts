import { HubError } from './errors.ts';

/**
 * Checks that an answer has the part of a file that was requested. A server that ignores ranges sends the whole file, whose
 * beginning is then dropped.
 * @param offset the first requested byte
 * @param answer the answer, once bytes arrive
 * @throws HubError when another part arrives
 */
export async function* streamFrom(
  offset: number,
  body: AsyncIterable<Uint8Array>,
  answer: () => Pick<Response, 'status' | 'headers'> | undefined,
): AsyncGenerator<Uint8Array> {
  let skip: number | null = null;
  for await (const chunk of body) {
    skip ??= offset === 0 ? 0 : bytesBefore(offset, answer());
    const rest = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/** The number of bytes in the answer before the offset. */
function bytesBefore(offset: number, answer: Pick<Response, 'status' | 'headers'> | undefined): number {
  if (answer?.status === 200) return offset;
  const start = /^bytes (\d+)-/.exec(answer?.headers.get('content-range') ?? '')?.[1];
  if (answer?.status === 206 && Number(start) === offset) return 0;
  throw new HubError('broken', 'The hub sent another part of the file than the one that was requested.');
}
