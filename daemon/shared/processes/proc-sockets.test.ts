import { expect, test } from 'vitest';
import { rowsOf } from './proc-sockets.ts';

test('the rows of a table have their ports and inodes, on any address', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 501 1 0000000000000000 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F40 01 00000000:00000000 00:00000000 00000000     0        0 503 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:1F40 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 504 1 0000000000000000 100 0 0 10 0
`;
  expect(rowsOf(table)).toEqual([
    { localPort: 8000, remotePort: 0, listens: true, inode: '501' },
    { localPort: 50_000, remotePort: 8000, listens: false, inode: '503' },
    { localPort: 8000, remotePort: 0, listens: true, inode: '504' },
  ]);
  expect(rowsOf('')).toEqual([]);
});
