import { expect, test } from 'vitest';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { atTerminal } from '../../testing/terminal/in-process.ts';
import { listingOf, scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { Declined } from '../shared/ask.ts';
import { Interrupted } from '../shared/errors.ts';
import { remove } from './manage.ts';

const endpoint = { name: 'poet', model: { repository: 'lab/poet-7b' } } as OwnEndpoint['endpoint'];
const QUESTION = 'Type poet to delete it: ';

/** Removes the endpoint lab/poet at a terminal, where a person types keys at the question. */
async function removed(keys: string, signal = new AbortController().signal) {
  const { client, calls } = scriptedClient({
    listOwnEndpoints: listingOf([{ namespace: 'lab', endpoint } as OwnEndpoint]),
    listApps: () => [],
    deleteEndpoint: () => endpoint,
  });
  const terminal = atTerminal([{ wait: QUESTION, send: keys }]);
  const error = await remove({ client, signal }, 'poet', {}).catch((failure: unknown) => failure);
  return { error, screen: terminal.screen, isDeleted: calls.some(([name]) => name === 'deleteEndpoint') };
}

test('the name of an endpoint, typed at the question, deletes it', async () => {
  const { error, screen, isDeleted } = await removed('poet\r');
  expect({ error, isDeleted }).toEqual({ error: undefined, isDeleted: true });
  expect(screen).toMatch(/^lab\/poet serves lab\/poet-7b\. .* cannot be undone\.\nType poet to delete it: poet\n/);
});

test('another name deletes nothing', async () => {
  const { error, isDeleted } = await removed('writer\r');
  expect({ error, isDeleted }).toEqual({ error: new Declined('poet is not deleted.'), isDeleted: false });
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at the question is an interrupt, and nothing is deleted', async (_, key) => {
  const { error, isDeleted } = await removed(key);
  expect({ error, isDeleted }).toEqual({ error: new Interrupted(), isDeleted: false });
});

test('a signal ends the question', async () => {
  const interrupt = new AbortController();
  const removal = removed('', interrupt.signal);
  setImmediate(() => interrupt.abort(new Interrupted()));
  expect(await removal).toMatchObject({ error: new Interrupted(), isDeleted: false });
});
