import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { type Balancing, balancingChange, balancingOf } from './balancing.ts';

const { customRouter, experimentalFeatures } = partsNamed('chat');
const router = { env: {}, grpcPort: null, port: null, protocol: 'http' as const, tag: 'v1' };

test.each<[Balancing, Partial<typeof experimentalFeatures>, typeof customRouter]>([
  ['random', {}, null],
  ['random', { loadBalancer: 'random' }, null],
  ['random', { loadBalancer: null }, null],
  ['sticky', { loadBalancer: 'sticky' }, null],
  ['least_connections', { loadBalancer: 'least_connections' }, null],
  ['random', { loadBalancer: 'sticky' }, router],
  ['mcp', { loadBalancer: 'sticky', mcpLb: { stateful: true } }, null],
  ['mcp', { mcpLb: { stateful: true } }, router],
  ['mcp-stateless', { loadBalancer: 'sticky', mcpLb: { stateful: false } }, null],
])('%s of %j and the router %j', (rule, features, routed) =>
  expect(balancingOf({ customRouter: routed, experimentalFeatures: { ...experimentalFeatures, ...features } })).toBe(
    rule,
  ),
);

test.each<Balancing>(['random', 'least_connections', 'sticky', 'mcp', 'mcp-stateless'])(
  'the change to %s gives an endpoint that rule',
  (rule) => {
    const features = Object.assign({}, experimentalFeatures, balancingChange(rule).experimentalFeatures);
    expect(balancingOf({ customRouter: null, experimentalFeatures: features })).toBe(rule);
  },
);
