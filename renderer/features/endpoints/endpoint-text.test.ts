import { expect, test } from 'vitest';
import { endpoint, ownEndpoint } from '../../testing/model-fixtures.ts';
import { endpointLinkText, endpointMessage } from './endpoint-text.ts';

const { status } = endpoint('chat');

test.each([
  ['scaledToZero', 'Asleep. The next request wakes it.', 'The next request wakes it.'],
  ['running', 'Ready.', ''],
  ['running', 'Ready: 1 of 2 replicas.', 'Ready: 1 of 2 replicas.'],
  ['paused', 'Paused.', 'Paused.'],
  ['failed', 'It failed. Check the path.', 'It failed. Check the path.'],
] as const)('beside the word of the state %s, "%s" is "%s"', (state, message, text) => {
  expect(endpointMessage(ownEndpoint('chat', { status: { ...status, state, message } }))).toBe(text);
});

test('after a failed update it says what serves requests: the failure has its own note', () => {
  const message = 'The update failed. The previous version serves requests.';
  const updateFailed = { ...status, state: 'updateFailed', message, errorMessage: 'The path is wrong.' } as const;
  expect(endpointMessage(ownEndpoint('chat', { status: updateFailed }))).toBe('The previous version serves requests.');
});

test('of an endpoint elsewhere, which may cost money, it says which requests of apps wake it', () => {
  const provider = { vendor: 'cloud', region: 'east' };
  const asleep = { ...status, state: 'scaledToZero', message: 'Asleep. The next request wakes it.' } as const;
  expect(endpointMessage(ownEndpoint('chat', { status: asleep, provider }))).toBe(
    'The next request wakes it; that of an app only if its price was confirmed when the app started.',
  );
});

test.each([
  ['failed', 'See what happened to chat'],
  ['updateFailed', 'See what happened to chat'],
  ['scaledToZero', 'Open the page of chat'],
] as const)('the link to an endpoint in the state %s is "%s"', (state, text) => {
  expect(endpointLinkText(ownEndpoint('chat', { status: { ...status, state } }))).toBe(text);
});
