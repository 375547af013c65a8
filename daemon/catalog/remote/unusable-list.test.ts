import { expect, test } from 'vitest';
import { readList } from './remote-list.ts';

test('a list without end of what is no model is given up', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"items":[0');
    for (;;) yield Buffer.from(',0'.repeat(1_000));
  }
  await expect(readList(endless())).rejects.toThrow('none can be used');
});
