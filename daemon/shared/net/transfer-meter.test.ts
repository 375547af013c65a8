import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transfer } from '../../contract/common/progress.ts';
import { TransferMeter } from './transfer-meter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the meter reports the received bytes, the rate of the last seconds, and a stalled download', () => {
  const transfers: (Transfer | null)[] = [];
  const meter = new TransferMeter(
    10_000,
    (transfer) => transfers.push(transfer),
    () => Date.now(),
  );
  for (let second = 0; second < 4; second++) {
    meter.add(1_000);
    vi.advanceTimersByTime(1_000);
  }
  expect(transfers.at(-1)).toEqual({ doneBytes: 4_000, totalBytes: 10_000, bytesPerSecond: 1_000, stalled: false });
  vi.advanceTimersByTime(5_000);
  expect(transfers.at(-1)).toEqual({ doneBytes: 4_000, totalBytes: 10_000, bytesPerSecond: 0, stalled: true });
  meter.add(1);
  vi.advanceTimersByTime(500);
  expect(transfers.at(-1)).toMatchObject({ doneBytes: 4_001, stalled: false });
  meter.close();
  expect(transfers.at(-1)).toBeNull();
  const { length } = transfers;
  vi.advanceTimersByTime(5_000);
  expect(transfers).toHaveLength(length);
});
