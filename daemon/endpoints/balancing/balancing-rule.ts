import type { Endpoint } from '../../contract/endpoints/endpoint.ts';

/**
 * How an endpoint distributes its requests among its replicas.
 * - `random`: to any, each as likely as the others.
 * - `sticky`: requests of one caller to the same.
 * - `least_connections`: to the one with the fewest requests.
 * - `mcp-session`: requests of one MCP session to the same.
 */
export type BalancingRule = 'random' | 'sticky' | 'least_connections' | 'mcp-session';

/** The rule of an endpoint. A custom router or `mcpLb` takes the place of `loadBalancer`, also where it has no effect. */
export function balancingRule({
  customRouter,
  experimentalFeatures: { loadBalancer, mcpLb },
}: Pick<Endpoint, 'customRouter' | 'experimentalFeatures'>): BalancingRule {
  if (mcpLb) return mcpLb.stateful ? 'mcp-session' : 'random';
  return customRouter ? 'random' : (loadBalancer ?? 'random');
}
