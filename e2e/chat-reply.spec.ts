/**
 * An app that uses a model, from the install to the loss of its endpoint: one journey, by mouse and by keyboard alone.
 * The tiny model writes nonsense, quickly.
 */
import { join } from 'node:path';
import { createOwnFileEndpoint } from '../daemon/testing/endpoints/own-file-endpoint.ts';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import {
  assigned,
  chattedWith,
  deleted,
  field,
  installedWithoutModel,
  type Journey,
  killed,
  main,
  message,
  need,
  ownFileDeployed,
  putToSleep,
  reply,
  resumed,
  row,
  status,
  triedInThePlayground,
  wokenByTheStart,
} from './chat-reply-stations.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { expect, sampleApp, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';
import { Keyboard } from './keyboard.ts';

test.use({ daemonOptions: { name: 'chat-reply' } });
test.afterEach(({ daemon }) => daemon.freeSlot());

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard alone', byKeyboard],
] as const) {
  test(`chat_reply gets a model ${name}: deployed, tried, assigned, woken at the start; it says what happens to it`, async ({
    page,
    open,
    daemon,
  }) => {
    const file = writeTinyGguf(join(daemon.dataDir, 'Tiny_Model.gguf'));
    const journey: Journey = { page, hand: handOn(page), daemon, file };
    if ((await daemon.installed()).some((app) => app.name === 'chat_reply')) {
      await daemon.call('removeApp', { params: { appName: 'chat_reply' } });
    }
    await signIn(page, daemon);
    await open('#/apps?tab=samples');
    await installedWithoutModel(journey);
    await ownFileDeployed(journey);
    await triedInThePlayground(journey);
    await putToSleep(journey);
    await assigned(journey);
    await wokenByTheStart(journey);
    const settings = await chattedWith(journey);
    await killed(journey, settings);
    await resumed(journey, settings);
    await deleted(journey);
  });
}

test('by keyboard, a start is stopped while its endpoint wakes, and a paused endpoint is reported', async ({
  page,
  open,
  daemon,
}) => {
  const keyboard = new Keyboard(page);
  await daemon.ensureInstalled(sampleApp('chat_reply'));
  const authorization = `Bearer ${await newDeployToken(daemon)}`;
  const modelPath = writeTinyGguf(join(daemon.dataDir, 'poet.gguf'));
  const poet = { namespace: 'local', name: 'poet' };
  await createOwnFileEndpoint(daemon.url, { authorization }, { ...poet, modelPath, task: 'text-generation' });
  await signIn(page, daemon);
  await open('#/models?tab=endpoints');
  await expect(row(page, 'poet')).toContainText('running');
  await keyboard.goTo(page.getByRole('button', { name: 'Sleep poet' }));
  await keyboard.press('Enter');
  await expect(row(page, 'poet')).toContainText('asleep');

  await keyboard.run('start chat_reply', 'Start Chat reply');
  await keyboard.tabTo(main(page).getByRole('link', { name: /^Choose (a model|another endpoint)$/ }));
  await keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('End');
  await expect(field(page)).toHaveValue('local/poet');
  await expect(need(page).getByText('asleep', { exact: true })).toBeVisible();
  await keyboard.press('Tab'); // a list keeps the keys of shortcuts for itself
  await keyboard.run('start chat_reply', 'Start Chat reply');
  await expect(main(page).getByText(/^Waking local\/poet\./)).toBeVisible();
  await keyboard.press('Control+.');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await keyboard.run('start chat_reply', 'Start Chat reply');

  const link = main(page).getByRole('link', { name: 'Settings of Chat reply' });
  await expect(link).toBeVisible();
  await keyboard.goTo(link);
  const [settings] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  const typed = new Keyboard(settings);
  await expect(message(settings)).toBeFocused();
  await page.bringToFront();
  await keyboard.run('pause poet', 'Pause poet');
  await expect(page.getByRole('region', { name: 'poet', exact: true })).toContainText('paused');
  await typed.type('Still there?');
  await typed.press('Enter');
  await expect(status(settings)).toHaveText(
    `The endpoint local/poet (need "chat") cannot be used now: "poet" is paused. Resume it to use it.`,
  );
  await keyboard.run('resume poet', 'Resume poet');
  await expect(page.getByRole('region', { name: 'poet', exact: true })).toContainText('running');
  await typed.press('Enter');
  await expect(reply(settings)).toHaveCount(1);
  await typed.tabTo(settings.getByRole('button', { name: 'New conversation' }), 'Shift+Tab');
  await typed.press('Enter');
  await expect(reply(settings)).toHaveCount(0);

  await keyboard.press('Control+.');
  await expect(status(settings)).toHaveText('Chat reply has stopped. Start it in Robot Desktop.');
});
