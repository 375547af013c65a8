import type { Endpoint } from './endpoint.ts';
import type { EndpointChange } from './endpoint-request.ts';

/** The rule by which requests are distributed among replicas. */
export type Balancing = 'random' | 'least_connections' | 'sticky' | 'mcp' | 'mcp-stateless';

/** The rule of an endpoint: one for MCP servers comes before the other. */
export function balancingOf({ experimentalFeatures }: Pick<Endpoint, 'experimentalFeatures'>): Balancing {
  const { mcpLb, loadBalancer } = experimentalFeatures;
  if (mcpLb !== null) return mcpLb.stateful ? 'mcp' : 'mcp-stateless';
  return loadBalancer ?? 'random';
}

/** The change of an endpoint that sets a rule. */
export function balancingChange(balancing: Balancing): Pick<EndpointChange, 'experimentalFeatures'> {
  const features =
    balancing === 'mcp' || balancing === 'mcp-stateless'
      ? { mcpLb: { stateful: balancing === 'mcp' } }
      : { loadBalancer: balancing, mcpLb: null };
  return { experimentalFeatures: features };
}
