import { expect, test } from 'vitest';
import { backwards, leastRequest, partsNamed } from '../testing/models/some-endpoints.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import { noSecrets, seal, unseal } from './endpoint-secrets.ts';

type Credentials = { username: string; password?: string | null };

function parts(secrets: Record<string, string | null>, credentials?: Credentials): EndpointParts {
  const image = { custom: { url: 'u', ...(credentials ? { credentials } : {}) } };
  return partsNamed('a', { model: { ...leastRequest('a').model, image, secrets } });
}

test('secrets are taken out, sealed, and can be opened again', async () => {
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

test('a secret that is null keeps its value; one that is no longer named is forgotten', async () => {
  const before = await seal(parts({ A: 'alpha', B: 'beta' }), null, backwards);
  const after = await seal(parts({ A: null, C: null, D: 'delta' }), before, backwards);
  expect(after.sealed.variables).toEqual({ A: 'sealed:ahpla', D: 'sealed:atled' });
  const constructed = await seal(parts({ constructor: null }), before, backwards);
  expect(constructed.sealed.variables).toEqual({});
});

test.each<[string, Credentials | undefined, string | null]>([
  ['null keeps it', { username: 'me', password: null }, 'sealed:ssap'],
  ['left out keeps it', { username: 'me' }, 'sealed:ssap'],
  ['another one replaces it', { username: 'me', password: 'new' }, 'sealed:wen'],
  ['it is not for somebody else', { username: 'you', password: null }, null],
  ['nobody pulls the image any more', undefined, null],
])('the password of an image: %s', async (_what, credentials, imagePassword) => {
  const before = await seal(parts({}, { username: 'me', password: 'pass' }), null, backwards);
  const after = await seal(parts({}, credentials), before, backwards);
  expect(after.sealed.imagePassword).toBe(imagePassword);
});
