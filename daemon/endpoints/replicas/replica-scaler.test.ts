import { expect, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { ReplicaScaler } from './replica-scaler.ts';

const scaling = { minReplica: 1, maxReplica: 4, scaleToZeroTimeout: null, measure: null };

test('the time that the machine slept is not taken for one without a load', async () => {
  const manual = manualClock();
  let sleptMs = 0;
  const clock = { ...manual, now: () => new Date(manual.now().getTime() + sleptMs) };
  const scaler: ReplicaScaler = new ReplicaScaler({
    hardwareUsage: async () => null,
    ready: () => scaler.count,
    room: async () => null,
    onCount: () => {},
    clock,
    log: createLogger('error'),
  });
  scaler.scaling = scaling;
  scaler.requests(3);
  scaler.start();
  await manual.advance(25_000);
  expect(scaler.text).toBe('2 replicas: 3 requests at a time, at most 1.5 for each replica.');
  scaler.requests(0);
  sleptMs = 8 * 60 * 60_000;
  await manual.advance(5_000);
  expect(scaler.text).toBe('2 replicas: the load is not known yet.');
  await manual.advance(4 * 60_000);
  expect(scaler.count).toBe(2);
  await manual.advance(2 * 60_000);
  expect(scaler.count).toBe(1);
  scaler.stop();
});
