/** A token for one endpoint: made on its page, shown once, listed in the settings and revoked there, without a command. */
import { byKeyboard, byMouse } from './hands.ts';
import { expect, test } from './with-chat-standin.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`a token opens the endpoint that it was made for and no other, until it is revoked, ${name}`, async ({
    page,
    openPage,
    chat: { daemon },
  }) => {
    const hand = handOn(page);
    const tokenName = name.replace(' ', '-');
    await openPage('#/models/endpoints/lab/chat');
    const use = page.getByRole('region', { name: 'Use it' });
    await hand.fill(use.getByRole('textbox', { name: 'Name of the token' }), tokenName);
    await hand.send(use.getByRole('button', { name: 'Make a token' }));
    const shown = use.getByRole('status').filter({ hasText: `${tokenName} is made.` });
    await expect(shown).toContainText('it is shown only this once');
    await hand.press(shown.getByRole('button', { name: 'Copy the token' }));
    await expect(shown).toContainText('Copied.');
    const token = await page.evaluate(() => navigator.clipboard.readText());
    expect(token).toMatch(/^rd_[\w-]{43}$/);
    await hand.press(shown.getByRole('button', { name: 'Hide it' }));
    await expect(page.getByText(token)).toHaveCount(0);

    const statusOf = async (endpoint: string) => {
      const answer = await fetch(`${daemon.url}/endpoints/lab/${endpoint}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect([await statusOf('chat'), await statusOf('other')]).toEqual([200, 403]);

    await openPage('#/settings');
    const tokens = page.getByRole('region', { name: 'Tokens' });
    await expect(tokens.getByRole('listitem').filter({ hasText: tokenName })).toContainText('may use lab/chat');
    await expect(tokens.getByRole('listitem').filter({ hasText: tokenName })).toContainText('Last used');
    const revoke = tokens.getByRole('button', { name: `Revoke ${tokenName}` });
    const dialog = page.getByRole('dialog', { name: `Revoke ${tokenName}` });
    await hand.press(revoke);
    await hand.press(dialog.getByRole('button', { name: 'Keep it' }));
    await expect(dialog).toHaveCount(0);
    expect(await statusOf('chat')).toBe(200);
    await hand.press(revoke);
    await hand.press(dialog.getByRole('button', { name: `Revoke ${tokenName}` }));
    await expect(revoke).toHaveCount(0);
    expect(await statusOf('chat')).toBe(401);
  });
}
