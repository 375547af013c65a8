/** A deploy without a network: what is known is said before the click, and no endpoint is made that would fail. */
import { tinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { expectAccessible } from './accessible.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { signIn } from './deploy-token.ts';
import { expect } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';
import { test } from './with-hub.ts';

/** For each hand one of its own: what is known of a model's files is kept for a while. */
const models = ['Qwen3-0.6B', 'Qwen3-1.7B'] as const;

test.use({ hubOptions: { name: 'offline-deploy', spaces: [] } });
test.beforeAll(async ({ hub }) => {
  for (const model of models) {
    await hub.addModel({ id: `Qwen/${model}-GGUF`, files: { [`${model}-Q8_0.gguf`]: { lfs: tinyGguf() } } });
  }
});
test.afterEach(({ hub }) => hub.misbehave({}));

for (const [name, handOn, model] of [
  ['by mouse', byMouse, models[0]],
  ['by keyboard', byKeyboard, models[1]],
] as const) {
  test(`while the hub cannot be reached a model cannot be deployed, and once it can, it is, ${name}`, async ({
    page,
    open,
    daemon,
    hub,
  }) => {
    const endpoints = async () => (await daemon.call('listOwnEndpoints')).endpoints;
    const hand = handOn(page);
    const dialog = page.getByRole('dialog', { name: `Deploy ${model}-GGUF` });
    const deploy = dialog.getByRole('button', { name: 'Deploy', exact: true });
    const field = dialog.getByRole('textbox', { name: 'Name' });
    const openDialog = () => hand.press(page.getByRole('button', { name: `Deploy ${model}-GGUF` }));
    await signIn(page, daemon);
    hub.misbehave({ loseAnswer: true }); // as a cable that is pulled
    await open(`#/models/Qwen/${model}-GGUF`);
    await openDialog();
    const reason = dialog.getByRole('region', { name: 'Summary' });
    await expect(reason).toContainText(/The (hub cannot be reached|connection to the hub was lost)/);
    await expect(reason).toContainText('Check the network, then try again.');
    await expect(deploy).toBeDisabled();
    await expect(dialog).toContainText('The model cannot be downloaded now.');
    await expectAccessible(page, 'deploy-offline');
    await hand.fill(field, 'too-early');
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('too-early');
    expect(await endpoints()).toEqual([]);
    hub.misbehave({});
    await hand.press(reason.getByRole('button', { name: 'Try again' }));
    await expect(reason).toContainText(/Downloads \d+ kB|is on this machine/);
    await expect(deploy).toBeEnabled();
    await hand.fill(field, 'in-time');
    await hand.send(deploy);
    await expect(page.getByRole('row', { name: /^in-time/ })).toContainText(/new|pending|starting|running|failed/);
    expect((await endpoints()).map(({ endpoint }) => endpoint.name)).toEqual(['in-time']);
    await deleteEndpoint(page, 'in-time');
    await expect.poll(endpoints).toEqual([]);
  });
}
