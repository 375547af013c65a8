import { expect, test } from 'vitest';
import type { Transfer } from '../../contract/common/progress.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { TransferMeter } from './transfer-meter.ts';

test('the meter reports the received bytes, the rate of the last seconds, and a stalled download', async () => {
  const clock = manualClock();
  const transfers: (Transfer | null)[] = [];
  const meter = new TransferMeter(clock, 10_000, (transfer) => transfers.push(transfer));
  for (let second = 0; second < 4; second++) {
    meter.add(1_000);
    await clock.advance(1_000);
  }
  expect(transfers.at(-1)).toEqual({ doneBytes: 4_000, totalBytes: 10_000, bytesPerSecond: 1_000, stalled: false });
  await clock.advance(5_000);
  expect(transfers.at(-1)).toEqual({ doneBytes: 4_000, totalBytes: 10_000, bytesPerSecond: 0, stalled: true });
  meter.add(1);
  await clock.advance(500);
  expect(transfers.at(-1)).toMatchObject({ doneBytes: 4_001, stalled: false });
  meter.close();
  expect(transfers.at(-1)).toBeNull();
  const { length } = transfers;
  await clock.advance(5_000);
  expect(transfers).toHaveLength(length);
});
