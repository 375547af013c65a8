/** The `page` of an address's query, from 1; the first one if it is missing or invalid. */
export function pageFrom(params: URLSearchParams, last = 100_000): number {
  const page = Number(params.get('page'));
  return Number.isInteger(page) && page >= 1 && page <= last ? page : 1;
}
