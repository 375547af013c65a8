/** llama.cpp knows no more sequences. A server that is asked for many more allocates memory for each before it fails. */
const MAX_PARALLEL = 256;
/** Each has a stack of its own; the gateway passes no more requests at a time to an endpoint. */
const MAX_HTTP_THREADS = 1_024;

const limits: ReadonlyMap<string, number> = new Map([
  ...['nParallel', '-np', '--parallel'].map((name) => [name, MAX_PARALLEL] as const),
  ...['threadsHttp', '--threads-http', 'LLAMA_ARG_THREADS_HTTP'].map((name) => [name, MAX_HTTP_THREADS] as const),
]);

/**
 * Why a setting of llama.cpp's server is too large, in one sentence; null: it is not, or has no limit.
 * @param name of a field of the image, of an argument, or of a variable
 * @param value NaN: no number, which the server itself refuses
 */
export function overLimit(name: string, value: number): string | null {
  const limit = limits.get(name);
  return limit === undefined || !(value > limit) ? null : `${name} is at most ${limit}.`;
}
