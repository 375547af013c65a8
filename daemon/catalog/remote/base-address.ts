import { InvalidBody } from '../../shared/invalid-input.ts';
import { addressProblem } from '../../shared/net/web-address.ts';

/** The end of every catalog service's base address. */
const PREFIX = '/api/v1';

/**
 * Normalizes the base address of a catalog service, which ends in `/api/v1`. A token is stored for exactly this text.
 * @throws InvalidBody for an unusable address
 */
export function baseAddress(given: string): string {
  const address = given.trim();
  const problem = addressProblem(address, { hubOrigin: '' }) ?? shapeProblem(new URL(address));
  if (problem !== null) throw new InvalidBody(problem, [{ path: ['url'], message: problem }]);
  return new URL(address).href.replace(/\/+$/, '');
}

function shapeProblem({ href, pathname }: URL): string | null {
  if (/[?#]/.test(href)) return 'The address has more after its path. Remove the part that begins with ? or #.';
  return pathname.replace(/\/+$/, '').endsWith(PREFIX) ? null : `The address does not end in ${PREFIX}.`;
}
