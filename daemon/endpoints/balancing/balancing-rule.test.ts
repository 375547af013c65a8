import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { type BalancingRule, balancingRule } from './balancing-rule.ts';

const { customRouter, experimentalFeatures } = partsNamed('chat');
const router = { env: {}, grpcPort: null, port: null, protocol: 'http' as const, tag: 'v1' };

test.each<[BalancingRule, Partial<typeof experimentalFeatures>, typeof customRouter]>([
  ['random', {}, null],
  ['random', { loadBalancer: 'random' }, null],
  ['sticky', { loadBalancer: 'sticky' }, null],
  ['least_connections', { loadBalancer: 'least_connections' }, null],
  ['random', { loadBalancer: 'sticky' }, router],
  ['mcp-session', { loadBalancer: 'sticky', mcpLb: { stateful: true } }, null],
  ['mcp-session', { mcpLb: { stateful: true } }, router],
  ['random', { loadBalancer: 'sticky', mcpLb: { stateful: false } }, null],
])('%s of %j and the router %j', (rule, features, routed) =>
  expect(balancingRule({ customRouter: routed, experimentalFeatures: { ...experimentalFeatures, ...features } })).toBe(
    rule,
  ),
);
