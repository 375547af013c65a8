import { expect, test } from 'vitest';
import type { CardUse } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { endpoint, ownEndpoint, replicaReport } from '../../testing/model-fixtures.ts';
import { computesText, layersText } from './card-text.ts';

const whole: CardUse = { card: 'Example 4000', layers: 25, totalLayers: 25, memoryBytes: 1.2e9 };
const part: CardUse = { ...whole, layers: 10, memoryBytes: 0.5e9 };
const onCard = (cardUse: CardUse | null, id = 'r7') => replicaReport({ id, cardUse });

const { compute } = endpoint('ours');
const text = (report: Partial<EndpointReport>, accelerator: 'cpu' | 'gpu' = 'gpu') =>
  computesText(ownEndpoint('ours', { compute: { ...compute, accelerator } }, report));

test('the layers of replicas that differ are named once each', () => {
  expect(layersText([whole, whole])).toBe('25 of 25 layers');
  expect(layersText([whole, part])).toBe('25 of 25 and 10 of 25 layers');
});

test('an endpoint on the graphics card says how many of its layers are there, and the memory that they hold', () => {
  expect(text({ replicas: [onCard(whole)] })).toBe('On the graphics card: 25 of 25 layers, 1.2 GB');
  expect(text({ replicas: [onCard(part)] })).toBe(
    'On the graphics card: 10 of 25 layers, 500 MB. The other layers are on the processor, which is slower',
  );
});

test('several replicas are counted, those without a place on the card too', () => {
  expect(text({ replicas: [onCard(whole), onCard(whole, 'r8')] })).toBe(
    'On the graphics card: 2 replicas, 25 of 25 layers, 2.4 GB in all',
  );
  expect(text({ replicas: [onCard(whole), onCard(null, 'r8')] })).toBe(
    'On the graphics card: 1 of 2 replicas, 25 of 25 layers, 1.2 GB in all',
  );
});

test('the processor is named only where it is known to be used', () => {
  const notOnCard = { kind: 'no-memory', message: 'It is full.', action: 'Free some.' } as const;
  expect(text({ replicas: [onCard(null)] }, 'cpu')).toBe('On the processor');
  expect(text({ replicas: [onCard(null)], notOnCard })).toBe('On the processor');
  expect(text({ replicas: [onCard(null)] }), 'its program does not tell').toBeNull();
  expect(text({ replicas: [replicaReport({ state: 'starting' })] }, 'cpu'), 'it starts').toBeNull();
  expect(text({ replicas: [], notOnCard }), 'it sleeps').toBeNull();
});
