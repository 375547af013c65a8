import { expect, test } from 'vitest';
import { rowsOf } from './port-holder.ts';

test('the rows of a table have their ports and inodes, on any address', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 501 1 0000000000000000 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F40 01 00000000:00000000 00:00000000 00000000     0        0 503 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:1F40 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 504 1 0000000000000000 100 0 0 10 0
`;
  expect(rowsOf(table)).toEqual([
    { localPort: 8000, remotePort: 0, listens: true, onLoopback: true, inode: '501' },
    { localPort: 50_000, remotePort: 8000, listens: false, onLoopback: true, inode: '503' },
    { localPort: 8000, remotePort: 0, listens: true, onLoopback: true, inode: '504' },
  ]);
  expect(rowsOf('')).toEqual([]);
});

test.each([
  ['00000000', false],
  ['0700A8C0', false],
  ['0100007F', true],
  ['7F0000C0', false],
  ['00000000000000000000000000000000', false],
  ['0000000000000000FFFF00000100007F', true],
  ['0000000000000000FFFF00000700A8C0', false],
  ['B80D012000000000000000000100007F', false],
])('the address %s is loopback: %s', (address, onLoopback) => {
  const table = `head\n0: ${address}:1F40 00000000:0000 0A 0 0 0 0 0 501`;
  expect(rowsOf(table)).toMatchObject([{ onLoopback }]);
});
