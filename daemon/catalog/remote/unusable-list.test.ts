import { expect, test } from 'vitest';
import { readList } from './remote-list.ts';

test('an endless list without a usable model is aborted', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"items":[0');
    for (;;) yield Buffer.from(',0'.repeat(1_000));
  }
  await expect(readList(endless())).rejects.toThrow(/^None of the .* can be used/);
});
