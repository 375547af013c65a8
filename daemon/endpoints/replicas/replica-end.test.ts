import { expect, test } from 'vitest';
import { CHAT, superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';

test('a replica that has ended gets no more requests while its last lines are read', async () => {
  const { supervisor, newest, clock, state, life } = await superviseEndpoint();
  newest().endServing();
  await clock.advance(0);
  expect([supervisor.peek(CHAT), await state()]).toEqual([null, 'running']); // why is not known yet
  newest().end({ code: 3 });
  await clock.advance(0);
  expect(life().findLast((text) => text.startsWith('starting'))).toContain('exit code 3');
});
