import type { Endpoint } from './endpoint.ts';
import type { EndpointChange } from './endpoint-request.ts';

/**
 * The rule by which an endpoint distributes its requests among its replicas.
 * - `random`: to any, each as likely as the others.
 * - `sticky`: requests of one caller to the same.
 * - `least_connections`: to the one with the fewest requests.
 * - `mcp`: requests of one MCP session to the same.
 * - `mcp-stateless`: to any, since its MCP server has no sessions.
 */
export type Balancing = 'random' | 'least_connections' | 'sticky' | 'mcp' | 'mcp-stateless';

/** The rule of an endpoint. `mcpLb` or a custom router takes the place of `loadBalancer`, also where it has no effect. */
export function balancingOf({
  customRouter,
  experimentalFeatures: { mcpLb, loadBalancer },
}: Pick<Endpoint, 'customRouter' | 'experimentalFeatures'>): Balancing {
  if (mcpLb !== null) return mcpLb.stateful ? 'mcp' : 'mcp-stateless';
  return customRouter === null ? (loadBalancer ?? 'random') : 'random';
}

/** The change of an endpoint that sets a rule. */
export function balancingChange(balancing: Balancing): Pick<EndpointChange, 'experimentalFeatures'> {
  const features =
    balancing === 'mcp' || balancing === 'mcp-stateless'
      ? { mcpLb: { stateful: balancing === 'mcp' } }
      : { loadBalancer: balancing, mcpLb: null };
  return { experimentalFeatures: features };
}
