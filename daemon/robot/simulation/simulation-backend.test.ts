import { describe, expect, test } from 'vitest';
import { backendContract } from '../../testing/backend-contract.ts';
import { joined } from '../motors.ts';
import { SimulationBackend } from './simulation-backend.ts';

describe('as every backend', () => {
  backendContract(async () => ({ backend: new SimulationBackend(), pass: async () => {}, toleranceRad: 0.01 }));
});

test('the noise of measurements is within its limit, and can be switched off', async () => {
  for (const noiseRad of [0.001, 0]) {
    const backend = new SimulationBackend({ noiseRad });
    const seen: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      await backend.exchange(backend.measured, 0.02);
      seen.push(joined(backend.measured)[1] ?? 0);
    }
    const spread = Math.max(...seen) - Math.min(...seen);
    expect(spread).toBeLessThanOrEqual(2 * noiseRad);
    if (noiseRad > 0) expect(spread).toBeGreaterThan(noiseRad);
  }
});
