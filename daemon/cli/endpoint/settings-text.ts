import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { DEFAULT_THRESHOLDS } from '../../contract/compute/scaling-limits.ts';
import { type Balancing, balancingOf } from '../../contract/endpoints/balancing.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';

/** `1 to 3, another one for more than 1.5 requests each, asleep after 15 min without requests`. */
export function scalingText({ minReplica, maxReplica, scaleToZeroTimeout, measure }: Scaling): string {
  const { pendingRequests, hardwareUsage } = DEFAULT_THRESHOLDS;
  const another =
    measure?.hardwareUsage === undefined
      ? `another one for more than ${measure?.pendingRequests ?? pendingRequests} requests each`
      : `another one above ${measure.hardwareUsage ?? hardwareUsage} % of the hardware`;
  return [
    minReplica === maxReplica ? `always ${maxReplica}` : `${minReplica} to ${maxReplica}`,
    maxReplica > Math.max(1, minReplica) ? another : null,
    scaleToZeroTimeout === null ? null : `asleep after ${scaleToZeroTimeout} min without requests`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

const balancingTexts: Readonly<Record<Balancing, string>> = {
  random: 'to any replica',
  least_connections: 'to the replica with the fewest',
  sticky: 'to the same replica for each caller',
  mcp: 'to the same replica for each MCP session',
  'mcp-stateless': 'to any replica, as MCP without sessions',
};

/** The replica that requests go to. */
export const balancingText = (endpoint: Endpoint): string => balancingTexts[balancingOf(endpoint)];

/** The web pages that may use an endpoint. */
export const pagesText = ({ allowedOrigins }: Pick<Endpoint, 'allowedOrigins'>): string =>
  allowedOrigins.length === 0 ? "none but the dashboard's" : allowedOrigins.join(', ');
