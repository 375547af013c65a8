import { InvalidBody } from '../../shared/invalid-input.ts';
import { addressProblem } from '../../shared/net/web-address.ts';

/** What the path of every catalog service begins with. */
const PREFIX = '/api/v1';

/**
 * Where a catalog service is, up to and with `/api/v1`, written in one way only: a token is kept for exactly this text.
 * @throws InvalidBody
 */
export function baseAddress(given: string): string {
  const address = given.trim();
  const problem = addressProblem(address, { hubOrigin: '' }) ?? shapeProblem(new URL(address));
  if (problem !== null) throw new InvalidBody(problem, [{ path: ['url'], message: problem }]);
  return new URL(address).href.replace(/\/+$/, '');
}

function shapeProblem({ href, pathname }: URL): string | null {
  if (/[?#]/.test(href)) return 'The address goes on after its path. Leave out what begins with ? or #.';
  return pathname.replace(/\/+$/, '').endsWith(PREFIX) ? null : `The address does not end in ${PREFIX}.`;
}
