import { expect, test } from 'vitest';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { HubError, type HubErrorKind, unexpectedAnswer } from '../../hub/errors.ts';
import { ModelFileError } from '../../model-files/errors.ts';
import { SecretKeyUnavailable } from '../../shared/files/key-file-secret-store.ts';
import { storageError } from '../../shared/files/storage-errors.ts';
import { knownFailure, unexpectedFailure, updateFailure } from './endpoint-failed.ts';

const kinds: readonly HubErrorKind[] = [
  ...(['unreachable', 'auth', 'not-found', 'rate-limited', 'broken', 'stalled', 'refused-address'] as const),
];
const errnoError = (code: string) => Object.assign(new Error(code), { code });

test('no failure of an endpoint asks to try again: its control is Resume', () => {
  const errors = [
    ...kinds.map((kind) => new HubError(kind, 'It failed.')),
    unexpectedAnswer(),
    new SecretKeyUnavailable('/data/key', new Error('EACCES')),
    ...['ENOSPC', 'EACCES', 'EROFS'].map((code) => storageError(errnoError(code), '/data')),
  ];
  const actions = errors.map((error) => knownFailure(error)?.action);
  expect(actions).not.toContain(undefined);
  expect(actions.filter((action) => /try again/i.test(action ?? ''))).toEqual([]);
  expect(actions.slice(0, 8)).toEqual([
    'Check the network, then resume the endpoint.',
    'Sign in to the hub again.',
    'Check the name.',
    'Resume the endpoint in some minutes.',
    'Resume the endpoint later.',
    'Check the network, then resume the endpoint.',
    'Check the address of the hub.',
    'Open the hub in a browser, then resume the endpoint.',
  ]);
});

test('only what another account of the hub may put right is a failure of access', () => {
  const reasons = kinds.map((kind) => [kind, knownFailure(new HubError(kind, 'It failed.'))?.reason]);
  expect(Object.fromEntries(reasons)).toEqual({
    ...{ unreachable: 'hub', auth: 'hub-access', 'not-found': 'hub-access', 'rate-limited': 'hub' },
    ...{ broken: 'hub', stalled: 'hub', 'refused-address': 'hub' },
  });
});

test('an action that names something else stays, and a bug has one too', () => {
  const error = new ModelFileError('truncated', 'It is cut off.', 'Download it again.');
  expect(knownFailure(error)).toMatchObject({ reason: 'model-damaged', action: 'Download it again.' });
  expect(knownFailure(new Error('bug'))).toBeNull();
  expect(unexpectedFailure(new Error('bug')).action).toMatch(/^Resume the endpoint\./);
});

test('after a failed change nothing can be resumed before a pause', () => {
  const failure = (action: string): EndpointFailure => ({ reason: 'hub', message: 'It failed.', action, evidence: [] });
  const action = (text: string) => updateFailure(failure(text)).action;
  expect(action('See the log, then resume the endpoint.')).toBe('See the log, then pause and resume the endpoint.');
  expect(action('Resume the endpoint later.')).toBe('Pause and resume the endpoint later.');
  expect(action('Give it fewer replicas, then resume it.')).toBe('Give it fewer replicas, then pause and resume it.');
  expect(action('Download it again.')).toBe('Download it again.');
});
