import { expect, test } from 'vitest';
import { SecretUnreadable } from '../../shared/files/key-file-secret-store.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { backwards, minimalRequest, partsNamed } from '../../testing/models/some-endpoints.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { knownFailure } from '../failures/endpoint-failed.ts';
import { noSecrets, seal, unseal } from './endpoint-secrets.ts';

type Credentials = { username: string; password?: string | null };

function parts(secrets: Record<string, string | null>, credentials?: Credentials): EndpointParts {
  const image = { custom: { url: 'u', ...(credentials ? { credentials } : {}) } };
  return partsNamed('a', { model: { ...minimalRequest('a').model, image, secrets } });
}

test('secrets are removed from the parts, encrypted, and can be decrypted again', async () => {
  const { parts: safe, sealed } = await seal(
    parts({ A: 'alpha', B: null }, { username: 'me', password: 'pass' }),
    null,
    backwards,
  );
  expect(safe).toEqual(parts({ A: null, B: null }, { username: 'me', password: null }));
  expect(sealed).toEqual({ variables: { A: 'sealed:ahpla' }, imagePassword: 'sealed:ssap' });
  expect(await unseal(sealed, backwards)).toEqual({ variables: { A: 'alpha' }, imagePassword: 'pass' });
  expect(await seal(parts({}), null, backwards)).toEqual({ parts: parts({}), sealed: noSecrets });
});

test('every secret that can no longer be read is named', async () => {
  const { sealed } = await seal(
    parts({ A: 'alpha', B: 'beta' }, { username: 'me', password: 'pass' }),
    null,
    backwards,
  );
  const lost = { ...backwards, decrypt: () => Promise.reject(new SecretUnreadable()) };
  expect(knownFailure(await unseal(sealed, lost).catch((error: unknown) => error))).toEqual({
    reason: 'secret-unreadable',
    message: 'The secrets A, B, and the password of the image can no longer be read.',
    action: 'Set A, B, and the password of the image of the endpoint again.',
    evidence: [],
  });
  const forbidden = { ...backwards, decrypt: () => Promise.reject(new DiskFull('/data')) };
  await expect(unseal(sealed, forbidden)).rejects.toBeInstanceOf(DiskFull);
});

test('a null secret keeps its value; a secret no longer named is deleted', async () => {
  const before = await seal(parts({ A: 'alpha', B: 'beta' }), null, backwards);
  const after = await seal(parts({ A: null, C: null, D: 'delta' }), before, backwards);
  expect(after.sealed.variables).toEqual({ A: 'sealed:ahpla', D: 'sealed:atled' });
  const constructed = await seal(parts({ constructor: null }), before, backwards);
  expect(constructed.sealed.variables).toEqual({});
});

test.each<[string, Credentials | undefined, string | null]>([
  ['null keeps it', { username: 'me', password: null }, 'sealed:ssap'],
  ['an omitted password keeps it', { username: 'me' }, 'sealed:ssap'],
  ['another one replaces it', { username: 'me', password: 'new' }, 'sealed:wen'],
  ['another user does not get it', { username: 'you', password: null }, null],
  ['it goes with the credentials', undefined, null],
])('the password of an image: %s', async (_what, credentials, imagePassword) => {
  const before = await seal(parts({}, { username: 'me', password: 'pass' }), null, backwards);
  const after = await seal(parts({}, credentials), before, backwards);
  expect(after.sealed.imagePassword).toBe(imagePassword);
});
