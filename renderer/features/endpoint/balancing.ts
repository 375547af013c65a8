import type { Endpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';

/** The rule by which requests are distributed among replicas. */
export type Balancing = 'random' | 'least_connections' | 'sticky' | 'mcp' | 'mcp-stateless';

/** The rule of an endpoint: that for MCP servers comes before the other, as in the daemon. */
export function balancingOf({ experimentalFeatures: { mcpLb, loadBalancer } }: Endpoint): Balancing {
  if (mcpLb !== null) return mcpLb.stateful ? 'mcp' : 'mcp-stateless';
  return loadBalancer ?? 'random';
}

/** The members of an endpoint that set a rule. */
export function balancingChange(balancing: Balancing): NonNullable<EndpointChange['experimentalFeatures']> {
  switch (balancing) {
    case 'mcp':
    case 'mcp-stateless':
      return { mcpLb: { stateful: balancing === 'mcp' } };
    default:
      return { loadBalancer: balancing, mcpLb: null };
  }
}
