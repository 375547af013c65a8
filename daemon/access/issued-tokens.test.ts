import { expect, test } from 'vitest';
import { IssuedTokens } from './issued-tokens.ts';

const token = { id: '00ff00ff00ff00ff', name: 'poet', scopes: ['deploy'], namespaces: null, createdAt: '' };

test('a token that is revoked by its name ends the sessions that it opened, too', async () => {
  const ended: string[] = [];
  const tokens = new IssuedTokens({
    tokens: { list: async () => [], create: () => expect.fail(), revoke: async () => token },
    uses: { load: async () => {}, lastUse: () => null },
    sessions: { endOfToken: async (id) => void ended.push(id) },
  });
  expect(await tokens.revoke('poet')).toEqual([]);
  expect(ended).toEqual([token.id]);
});
