/** Apps of the hub: search, details, install and update from the dashboard; browsing without the hub. */
import { card, expect } from './fixtures.ts';
import { appFiles, test } from './with-hub.ts';

const moods = ['calm', 'merry', 'sleepy', 'curious'];

test.use({
  hubOptions: {
    name: 'store',
    spaces: [
      {
        id: 'anna/dance',
        files: appFiles({ name: 'dance', title: 'Dance' }),
        likes: 420,
        createdAt: '2026-01-01T10:00:00Z',
      },
      { id: 'anna/diary', files: appFiles({ name: 'diary', title: 'Diary' }), private: true },
      ...Array.from({ length: 59 }, (_, index) => mood(index + 1)),
    ],
    tokens: { anna: 'hf_anna' },
  },
});

function mood(number: number) {
  const description = `A ${moods[number % moods.length]} look.`;
  const name = `mood_${number}`;
  return {
    id: `ben/${name}`,
    files: appFiles({ name, title: `Mood ${number}`, description, emoji: '🎭' }),
    likes: number,
    createdAt: new Date(Date.UTC(2026, 1, number)).toISOString(),
  };
}

test('apps are searched, sorted and paged through; a private one needs an account', async ({ page, open }) => {
  await open('#/apps?tab=discover');
  const cards = page.getByRole('list', { name: 'Apps of the hub' }).getByRole('article');
  await expect(cards).toHaveCount(48);
  await expect(cards.first()).toHaveAccessibleName('anna/dance');
  await expect(cards.first()).toContainText('420 likes');
  await expect(page.getByText('Loaded from the hub just now')).toBeVisible();
  const count = page.locator('#list-count');
  await expect(count).toHaveText('60 apps, page 1 of 2');
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(count).toHaveText('60 apps, page 2 of 2');
  await expect(count).toBeFocused();
  await expect(cards).toHaveCount(12);
  await expect(page.getByRole('link', { name: 'Next page' })).toHaveCount(0);

  await page.getByRole('radio', { name: 'Recent' }).click({ force: true }); // checked once the address has changed
  await expect(page.getByRole('radio', { name: 'Recent' })).toBeChecked();
  await expect(count).toHaveText('60 apps, page 1 of 2');
  await expect(cards.first()).toHaveAccessibleName('ben/mood_59');
  const search = page.getByRole('textbox', { name: 'Search apps' });
  await search.pressSequentially('merry look');
  await expect(cards).toHaveCount(15);
  await search.fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No app matches "nothing like it"' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Clear the search' }).click();
  await expect(cards).toHaveCount(48);
  await expect(search).toHaveValue('');

  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  const token = page.getByLabel('Access token');
  await token.fill('hf_nobody');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await token.fill('hf_anna');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText(/^Signed in to/)).toContainText('as anna');
  await open('#/apps?tab=discover');
  await search.fill('diary');
  await expect(card(page, 'anna/diary')).toContainText('private');
  await open('#/settings');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(token).toHaveValue('');
});

test('search, sort order, page and place survive an app, Back, Forward and a reload', async ({ page, open }) => {
  const search = page.getByRole('textbox', { name: 'Search apps' });
  const main = page.getByRole('main');
  const scrolled = () => main.evaluate(({ scrollTop }) => Math.round(scrollTop));
  await open('#/apps?tab=discover&search=mood&sort=recent&page=2');
  const last = card(page, 'ben/mood_1').getByRole('link');
  await last.scrollIntoViewIfNeeded();
  const place = await scrolled();
  expect(place).toBeGreaterThan(0);
  await last.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mood 1' })).toBeVisible();
  await expect.poll(scrolled).toBe(0);

  async function expectPlace(): Promise<void> {
    await expect(page).toHaveURL(/#\/apps\?tab=discover&search=mood&sort=recent&page=2$/);
    await expect(search).toHaveValue('mood');
    await expect(page.getByRole('radio', { name: 'Recent' })).toBeChecked();
    await expect(page.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
    await expect.poll(scrolled).toBe(place);
  }
  await page.goBack();
  await expectPlace();
  await expect(last).toBeFocused();
  await page.reload();
  await expectPlace();
  await last.click();
  await page.getByRole('link', { name: 'Discover' }).click();
  await expectPlace();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Mood 1' })).toBeVisible();
  await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
  await page.getByRole('tab', { name: 'Discover' }).click();
  await expect(search).toHaveValue('mood');
});

test('the details of an app are shown, the app is installed, and updated when the hub has a newer version', {
  tag: '@smoke',
}, async ({ page, open, hub, daemon }) => {
  await open('#/apps?tab=discover');
  await page.getByRole('link', { name: 'Dance' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dance' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Read me' })).toContainText(
    'Dance does what it says, until it is stopped.',
  );
  await page.getByText('Technical details').click();
  const needs = page.getByRole('region', { name: 'anna/dance' });
  await expect(needs).toContainText('robot-sdk');
  await expect(needs).toContainText('>=3.10');
  await expect(needs.getByRole('link', { name: 'See it on the hub' })).toHaveAttribute(
    'href',
    `${hub.url}/spaces/anna/dance`,
  );
  await page.getByRole('button', { name: 'Install Dance' }).click();
  await expect(page.getByRole('button', { name: 'Start Dance' })).toBeEnabled();
  await page.getByRole('link', { name: 'Discover' }).click();
  await expect(card(page, 'anna/dance')).toContainText('ready');
  await expect(card(page, 'anna/dance')).toContainText('1.0.0 · installed');

  await hub.commit('anna/dance', appFiles({ name: 'dance', title: 'Dance', version: '1.1.0' }));
  await open('#/apps/dance?tab=versions');
  await page.getByRole('button', { name: 'Check for updates' }).click();
  await expect(page.getByRole('region', { name: 'Installed: 1.0.0' })).toContainText('update available');
  await open('#/');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('1 update available');
  await page.getByRole('button', { name: 'Update Dance' }).click();
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeHidden();
  expect(await daemon.installed()).toMatchObject([{ name: 'dance', version: '1.1.0', previous: { version: '1.0.0' } }]);
  await open('#/activity');
  await expect(card(page, 'Update Dance')).toContainText('done');
});

test('without the hub the copy is browsed and installs are disabled with the reason, until the hub is back', async ({
  page,
  open,
  hub,
}) => {
  await open('#/apps?tab=discover');
  await expect(card(page, 'ben/mood_29')).toBeVisible();
  // A captive portal answers every request with its own page.
  hub.misbehave({ garbage: true });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('You can browse the last copy; to install, the hub must be reachable.')).toBeVisible();
  await expect(card(page, 'ben/mood_29').getByRole('button', { name: 'Install Mood 29' })).toBeDisabled();
  await expect(card(page, 'ben/mood_29').getByTitle('The hub cannot be reached.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Search apps' }).fill('sleepy');
  await expect(page.getByText('15 apps', { exact: true })).toBeVisible();

  hub.misbehave({});
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('button', { name: /^Install Mood/ }).first()).toBeEnabled();
});
