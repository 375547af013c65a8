import { expect, test } from 'vitest';
import { transferText } from './progress-text.ts';

const transfer = { doneBytes: 12_400_000, totalBytes: 38_000_000, bytesPerSecond: 1_200_000, stalled: false };

test('a download shows bytes, rate and remaining time, or that it stalled', () => {
  expect(transferText(transfer)).toBe('Downloading 12.4 of 38 MB, 1.2 MB/s, 25 s left');
  expect(transferText({ ...transfer, totalBytes: null })).toBe('Downloading 12.4 MB, 1.2 MB/s');
  expect(transferText({ ...transfer, bytesPerSecond: 0 })).toBe('Downloading 12.4 of 38 MB');
  expect(transferText({ ...transfer, bytesPerSecond: 0, stalled: true })).toBe('Download stalled at 12.4 of 38 MB');
});

test.each([
  [1, '5 s left'],
  [57, '60 s left'],
  [59, '1 min left'],
  [150, '3 min left'],
  [3_600, '1 h 0 min left'],
  [5_000, '1 h 20 min left'],
])('%i s of remaining time are shown as "%s"', (seconds, left) => {
  const text = transferText({ ...transfer, doneBytes: 0, totalBytes: seconds * 1000, bytesPerSecond: 1000 });
  expect(text).toContain(`, ${left}`);
});
