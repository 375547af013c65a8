/** Text that somebody else wrote: it breaks no page, is read in its own direction, and asks for nothing by itself. */
import { expectAccessible } from './accessible.ts';
import { card, expect } from './fixtures.ts';
import { appFiles, test } from './with-hub.ts';

const word = 'W'.repeat(400);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const readme = `# ${word}

A paragraph with ${word} in it, \`${word}\` and <b onclick="alert(1)">HTML</b>.

שלום עולם, this app says hello.

| ${word} | b |
|---|---|
| ${word} | ${word} |

\`\`\`
${word} ${word}
\`\`\`

- [a link](https://example.org/${word})
- [the licence](LICENSE)
- [harm](javascript:alert(1))
- [x] done

![A robot](pics/robot.png)
![A vector](pics/robot.svg)
![A pixel](https://tracker.invalid/pixel.gif)
[![build](https://badge.invalid/build.svg)](https://example.org/build)

${'> '.repeat(3_000)}deep
`;

const hostile = appFiles({ name: 'hostile', title: word, description: `${word} ${word}`, emoji: '🦾' });
const rtl = appFiles({ name: 'shalom', title: 'שלום (1.0)', description: 'אפליקציה שאומרת שלום.', emoji: '👋' });
/** Its parser would need minutes and gigabytes. */
const endlessReadme = `${'*a_'.repeat(1_600)}\n`.repeat(13);
const endless = appFiles({ name: 'endless', title: 'Endless' });
const unfit = appFiles({ name: 'unfit', title: 'Unfit' });

test.use({
  hubOptions: {
    name: 'foreign-text',
    spaces: [
      {
        id: `${'o'.repeat(60)}/${'hostile-'.repeat(10)}app`,
        files: {
          ...hostile,
          'README.md': hostile['README.md'].replace(/# W[\s\S]*$/, readme),
          'pics/robot.png': png,
          'pics/robot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
      },
      { id: 'anna/shalom', files: rtl },
      {
        id: 'anna/endless',
        files: { ...endless, 'README.md': endless['README.md'].replace(/# E[\s\S]*$/, endlessReadme) },
      },
      {
        id: 'anna/unfit',
        files: { ...unfit, 'pyproject.toml': unfit['pyproject.toml'].replace('>=3.10', `>=9.9,<10`) },
      },
    ],
  },
});
const hostileId = `${'o'.repeat(60)}/${'hostile-'.repeat(10)}app`;

test('words of any length, and text from right to left, can be read in the store in every size and theme', async ({
  page,
  open,
}) => {
  await open('#/apps?tab=discover');
  await expect(card(page, hostileId)).toBeVisible();
  await expectAccessible(page, 'foreign-discover');
  await card(page, hostileId).getByRole('link').first().click();
  await expect(page.getByRole('region', { name: 'Read me' })).toContainText('this app says hello');
  await expectAccessible(page, 'foreign-store-app');
});

test('and so can those of an installed app', async ({ page, open, daemon, hub }) => {
  expect(await daemon.install(`${hub.url}/spaces/${hostileId}`)).toMatchObject({ state: 'done' });
  for (const [name, hash, shows] of [
    ['foreign-home', '#/', 'Start an app'],
    ['foreign-apps', '#/apps', 'Installed 1'],
    ['foreign-app', '#/apps/hostile?tab=readme', 'this app says hello'],
    ['foreign-activity', '#/activity', '1 job'],
  ] as const) {
    await open(hash);
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
    await expectAccessible(page, name);
  }
});

test('a README asks for nothing until the user asks for an image, and runs nothing', async ({ page, open, daemon }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(daemon.url) || request.url().startsWith('data:');
    if (!isOurs) elsewhere.push(request.url());
  });
  await open(`#/apps/store/${hostileId}`);
  const text = page.getByRole('region', { name: 'Read me' });
  await expect(text.getByRole('link', { name: 'a link' })).toHaveAttribute('target', '_blank');
  await expect(text.getByRole('link', { name: 'the licence' })).toHaveAttribute(
    'href',
    /\/blob\/[0-9a-f]{40}\/LICENSE$/,
  );
  await expect(text.getByRole('link', { name: 'harm' })).toHaveCount(0);
  await expect(text.getByRole('link', { name: 'Image at tracker.invalid: A pixel' })).toBeVisible();
  await expect(text.getByRole('link', { name: 'build' })).toHaveAttribute('href', 'https://example.org/build');
  await expect(text.locator('img, [onclick], script')).toHaveCount(0);

  await text.getByRole('button', { name: 'Show the image A robot' }).press('Enter');
  const image = text.getByRole('img', { name: 'A robot' });
  await expect(image).toHaveAttribute('src', /^data:image\/png;base64,/);
  expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
  await expect(text.locator('.readme-slot').filter({ has: page.getByRole('img', { name: 'A robot' }) })).toBeFocused();
  await text.getByRole('button', { name: 'Show the image A vector' }).click();
  await expect(text.getByRole('alert')).toContainText('no PNG, JPEG, GIF, WebP or AVIF image');
  expect(elsewhere).toEqual([]);
});

test('a README that cannot be parsed within seconds leaves the page responsive, and becomes plain text', async ({
  page,
  open,
}) => {
  await open('#/apps/store/anna/endless');
  const text = page.getByRole('region', { name: 'Read me' });
  await expect(text.getByRole('status', { name: 'Loading' })).toBeVisible();
  // Meanwhile the page still responds.
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Endless' })).toBeVisible();
  await expect(text).toContainText('This README is shown as plain text');
  await expect(text).toContainText('*a_*a_');

  await open('#/apps/store/anna/shalom');
  await expect(text.getByRole('heading', { name: 'שלום (1.0)' })).toBeVisible();
  await expect.poll(() => page.workers().length, 'workers that are still there').toBe(0);
});

test('an app that cannot be installed shows why in the place of Install', async ({ page, open }) => {
  await open('#/apps?tab=discover');
  await card(page, 'anna/unfit').getByRole('link').first().click();
  const summary = page.getByRole('region', { name: 'anna/unfit' });
  await expect(summary.getByText('cannot be installed', { exact: true })).toBeVisible();
  await expect(summary).toContainText('needs Python 9.9 or newer');
  await expect(page.getByRole('main').getByRole('button', { name: /^Install/ })).toHaveCount(0);
  await expectAccessible(page, 'store-app-unfit');
  await page.goBack();
  await expect(card(page, 'anna/unfit')).toContainText('cannot be installed');
  await expect(card(page, 'anna/shalom').getByRole('button', { name: /^Install/ })).toBeEnabled();
});
