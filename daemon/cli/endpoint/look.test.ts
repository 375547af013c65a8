import { expect, test } from 'vitest';
import type { CardProblem, CardUse } from '../../contract/compute/graphics-cards.ts';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import { placeText } from './look.ts';

const whole: CardUse = { card: 'NVIDIA H100', layers: 33, totalLayers: 33, memoryBytes: 5.12e9 };
const part: CardUse = { ...whole, layers: 10, memoryBytes: 1.5e9 };
const noMemory: CardProblem = {
  kind: 'no-memory',
  message: 'It has too little memory.',
  action: 'Deploy another one.',
};
const crashed: CardProblem = { kind: 'driver-crashed', message: 'The driver crashed.', action: 'Update it.' };

const replica = (cardUse: CardUse | null, state: ReplicaReport['state'] = 'ready') =>
  ({ cardUse, state }) as ReplicaReport;

test.each<[string, 'cpu' | 'gpu', readonly ReplicaReport[], CardProblem | null, string | null]>([
  ['on the card', 'gpu', [replica(whole)], null, 'NVIDIA H100: 33 of 33 layers, 5.1 GB'],
  [
    'with several replicas',
    ...(['gpu', [replica(whole), replica(part)], null] as const),
    'NVIDIA H100: 33 of 33 layers, 5.1 GB; NVIDIA H100: 10 of 33 layers, 1.5 GB',
  ],
  ['on the processor', 'cpu', [replica(null)], null, 'the processor'],
  ['that starts', 'cpu', [replica(null, 'starting')], null, null],
  ['that sleeps', 'gpu', [], null, null],
  ['whose container does not tell', 'gpu', [replica(null)], null, null],
  [
    'that finds no memory on the card',
    ...(['gpu', [replica(null)], noMemory] as const),
    'the processor instead of the graphics card. It has too little memory. Deploy another one.',
  ],
  [
    'whose card is left alone',
    ...(['gpu', [replica(null)], crashed] as const),
    'the processor instead of the graphics card. The driver crashed. Update it. To try it again: robot-daemon graphics-card try-again',
  ],
])('an endpoint %s says where it runs', (_, accelerator, replicas, notOnCard, expected) => {
  const own = { endpoint: { compute: { accelerator } }, report: { replicas, notOnCard } } as unknown as OwnEndpoint;
  expect(placeText(own)).toBe(expected);
});
