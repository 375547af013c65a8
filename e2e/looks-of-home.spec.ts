/** Home and the bell can be read and used: with a sleeping robot, and with all that needs attention. */
import { expectAccessible } from './accessible.ts';
import { expect, fixtureApp, statusBar } from './fixtures.ts';
import { appFiles, test } from './with-hub.ts';

const mood = (version: string) => appFiles({ name: 'mood', title: 'Mood', version });

test.use({
  hubOptions: {
    name: 'looks-of-home',
    apps: [fixtureApp('crashes'), fixtureApp('polite')],
    spaces: [{ id: 'anna/mood', files: mood('1.0.0') }],
  },
});

test('Home with a sleeping robot can be read in every size and theme', async ({ page, open, daemon }) => {
  await daemon.call('putRobotToSleep');
  await open();
  await expect(page.getByRole('button', { name: 'Wake up' })).toBeEnabled();
  await expectAccessible(page, 'home-asleep');
  await daemon.call('wakeUpRobot');
});

test('what needs attention can be read in every size and theme, on Home and in the bell', async ({
  page,
  open,
  daemon,
  hub,
}) => {
  expect(await daemon.install(`${hub.url}/spaces/anna/mood`)).toMatchObject({ state: 'done' });
  await hub.commit('anna/mood', mood('1.1.0'));
  await daemon.call('checkForUpdates');
  expect(await daemon.install(fixtureApp('crashes_at_import'))).toMatchObject({ state: 'failed' });
  await daemon.startApp('crashes');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await open();
  const groups = (place: 'main' | 'dialog') => page.getByRole(place).getByRole('heading', { level: 3 });
  await expect(groups('main').filter({ hasText: /^(Apps|Jobs|Updates)$/ })).toHaveCount(3);
  await expectAccessible(page, 'home-attention');
  await statusBar(page)
    .getByRole('button', { name: /^Notifications/ })
    .click();
  await expect(groups('dialog')).toHaveText(['Apps', 'Jobs', 'Updates']);
  await expectAccessible(page, 'notifications-attention');
});
