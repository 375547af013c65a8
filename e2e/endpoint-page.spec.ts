/** The page of an endpoint: its address, its use, its log, its settings; and the place to try it, on a stand-in model. */
import type { Page } from '@playwright/test';
import { execa } from 'execa';
import { newDeployToken } from './deploy-token.ts';
import type { Daemon } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { expect, test } from './with-chat-standin.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const answers = (page: Page) => page.getByRole('article', { name: 'Answer' });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Runs a copied program with a token in its environment. @returns all that it prints */
async function runSnippet(language: string, text: string, token: string): Promise<string> {
  const program = { curl: 'sh', Python: 'python3', JavaScript: process.execPath }[language] as string;
  const args = language === 'JavaScript' ? ['--input-type=module', '-e', text] : ['-c', text];
  const { all } = await execa(program, args, { env: { ROBOT_TOKEN: token }, all: true, reject: false });
  return all;
}

test('by mouse: an endpoint is opened from the list, its requests are copied, its charts and its life are shown', async ({
  page,
  openPage,
  chat: { daemon },
}) => {
  await openPage('#/models?tab=endpoints');
  await page.getByRole('link', { name: 'chat', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'chat' })).toBeFocused();
  await expect(page).toHaveURL(/#\/models\/endpoints\/lab\/chat$/);
  await expect(page.getByRole('region', { name: 'chat', exact: true })).toContainText('running');

  const token = await newDeployToken({ dataDir: daemon.dataDir } as Daemon);
  for (const language of ['curl', 'Python', 'JavaScript']) {
    await page.getByRole('radio', { name: language }).check({ force: true });
    await page.getByRole('button', { name: `Copy the request as ${language}` }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).not.toContain(token);
    expect(await runSnippet(language, text, token), language).toContain('" model."');
    const refused = await runSnippet(language, text, 'wrong');
    expect(refused, language).toContain('A valid bearer token is required.');
    expect(refused, language).not.toContain('Traceback');
  }

  const life = page.getByRole('region', { name: 'Events' }).getByRole('listitem');
  await expect(life.first()).toContainText(/ready.*It answers, \d+\.\d s after it was created\./);
  await expect(life.last()).toContainText(/created/);
  const use = page.getByRole('region', { name: 'The last hour' });
  await expect(use.getByRole('figure', { name: /^Requests 3 .*3 requests in the last hour/ })).toBeVisible({
    timeout: 20_000,
  });
  await use.getByText('As a table').click();
  await expect(use.getByRole('table')).toContainText('3');
});

test('the field for a message is in view when the place to try an endpoint opens, awake and asleep', async ({
  page,
  openPage,
}) => {
  await openPage('#/models/endpoints/lab/chat?tab=try');
  const sizes = [
    { width: 1200, height: 860 },
    { width: 1280, height: 720 },
    { width: 420, height: 900 },
  ];
  for (const state of ['awake', 'asleep']) {
    if (state === 'asleep') await page.getByRole('button', { name: 'Sleep chat' }).click();
    for (const size of state === 'awake' ? sizes : sizes.slice(0, 1)) {
      await page.setViewportSize(size);
      await expect(message(page), `${state} ${size.width}`).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
    }
  }
  await expect(page.getByText('It is asleep: your first message wakes it')).toBeVisible();
  await expect(message(page)).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Wake chat' }).click();
  await expect(page.getByRole('region', { name: 'chat', exact: true })).toContainText('running');
});

test('by mouse: settings are changed with the daemon’s issues at their fields; it sleeps, wakes and says why', async ({
  page,
  openPage,
}) => {
  await openPage('#/models/endpoints/lab/other?tab=settings');
  const least = page.getByRole('textbox', { name: 'At least' });
  await least.fill('3');
  await expect(page.getByText('Must not be below “At least” (3).')).toBeVisible();
  await least.fill('x');
  await expect(page.getByText('A whole number, 0 or more.')).toBeVisible();
  await least.fill('0');
  await page.getByRole('textbox', { name: 'Sleeps after' }).fill('7');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(save).toBeDisabled();
  const summary = page.getByRole('region', { name: 'other', exact: true });
  // While the change is applied it cannot sleep.
  await expect(summary).toContainText('Sleeps after 7 min');
  await expect(summary).toContainText('running');
  await page.getByRole('button', { name: 'Sleep other' }).click();
  await expect(summary).toContainText('asleep');
  await page.getByRole('button', { name: 'Wake other' }).click();
  await expect(summary).toContainText('running');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('asleep after 7 min without use')).toBeVisible();
  const life = page.getByRole('region', { name: 'Events' }).getByRole('listitem');
  await expect(life.filter({ hasText: 'The dashboard changed its scaling.' })).toBeVisible();
  await expect(life.filter({ hasText: 'The dashboard put it to sleep.' })).toBeVisible();
  await expect(life.filter({ hasText: 'The dashboard woke it.' })).toBeVisible();
});

test('by keyboard: a chat streams, is stopped, goes on after a reload, is copied as a program and cleared', async ({
  page,
  openPage,
  chat: { daemon, model },
}) => {
  const keyboard = new Keyboard(page);
  await openPage('#/');
  await keyboard.run('ada/chat', 'chat');
  await expect(page.getByRole('heading', { level: 1, name: 'chat' })).toBeFocused();
  await keyboard.tabTo(page.getByRole('tab', { name: 'Overview' }));
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Try it' })).toHaveAttribute('aria-selected', 'true');
  await expect(message(page)).toBeVisible();
  await keyboard.tabTo(page.getByRole('textbox', { name: 'System prompt' }));
  await keyboard.type('Be short.');
  await keyboard.tabTo(page.getByRole('textbox', { name: 'Temperature' }));
  await keyboard.type('0.5');
  await keyboard.tabTo(message(page));
  await keyboard.type('Hello?');
  await keyboard.press('Enter');
  await expect(answers(page)).toContainText('Hello from the model.');
  await expect(answers(page)).toContainText(/First token after .* · 4 tokens/);
  await expect(message(page)).toBeFocused();
  expect(model.requests.at(-1)?.body).toMatchObject({
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hello?' },
    ],
  });

  model.answer = { pieces: Array.from({ length: 500 }, () => 'word '), pauseMs: 30 };
  await keyboard.type('Go on');
  await keyboard.press('Enter');
  await expect(answers(page).last()).toContainText('word word');
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(answers(page).last()).toContainText('Stopped.');
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  model.answer = { pieces: ['Again'], pauseMs: 0 };

  await page.reload();
  await expect(answers(page)).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Be short.');
  await message(page).fill('It\'s "quoted" $HOME `id` é');
  await page.getByText('This request as curl, Python or JavaScript').click();
  const token = await newDeployToken({ dataDir: daemon.dataDir } as Daemon);
  for (const language of ['curl', 'Python', 'JavaScript']) {
    await page.getByRole('radio', { name: language }).check({ force: true });
    await page.getByRole('button', { name: `Copy the request as ${language}` }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(await runSnippet(language, text, token), language).toContain('"Again"');
    const body = model.requests.at(-1)?.body;
    expect(body).toMatchObject({ stream: true, temperature: 0.5 });
    const messages = body?.['messages'] as readonly unknown[];
    expect([messages.length, messages.at(-1)]).toEqual([6, { role: 'user', content: 'It\'s "quoted" $HOME `id` é' }]);
  }
  await page.getByRole('button', { name: 'Clear the conversation' }).click();
  await expect(answers(page)).toHaveCount(0);
  await expect(message(page)).toBeFocused();
});

test('a sleeping endpoint says that the first message wakes it, and answers it', async ({ page, openPage, chat }) => {
  await chat.daemon.call('scaleEndpointToZero', { params: { namespace: 'lab', name: 'chat' } }).catch(() => {});
  await openPage('#/models/endpoints/lab/chat?tab=try');
  await page.getByRole('button', { name: 'Sleep chat' }).click();
  await expect(page.getByText('It is asleep: your first message wakes it, and waits for it.')).toBeVisible();
  await message(page).fill('Wake up');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(answers(page).last()).toContainText('First token');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('A request from the dashboard woke it.')).toBeVisible();
});

test('messages that no longer fit the context are left out visibly, also when the model server refuses them', async ({
  page,
  openPage,
  chat: { model },
}) => {
  model.context = 400;
  model.answer = { pieces: ['ok'], pauseMs: 0 };
  await openPage('#/models/endpoints/lab/chat?tab=try');
  await page
    .getByRole('button', { name: 'Clear the conversation' })
    .click({ trial: false, timeout: 2_000 })
    .catch(() => {});
  for (let turn = 1; turn <= 5; turn++) {
    await message(page).fill(`${turn} ${'x'.repeat(100)}`);
    await message(page).press('Enter');
    await expect(answers(page).nth(turn - 1)).toContainText('First token');
  }
  await expect(page.getByText(/The model no longer gets \d messages above/)).toBeVisible();
  await expect(answers(page).last()).toContainText('ok');
  const sent = model.requests.at(-1)?.body['messages'] as { content: string }[];
  expect(sent.length).toBeLessThan(9);
  expect(sent.at(-1)?.content).toMatch(/^5 x/);
  await message(page).fill('y'.repeat(600));
  await message(page).press('Enter');
  await expect(answers(page).last()).toContainText('the context has room for 400 tokens');
  model.context = 4_096;
});

test('texts are compared and ranked, and any request is sent', async ({ page, openPage, chat: { model } }) => {
  await openPage('#/models/endpoints/lab/embed?tab=try');
  await page.getByRole('textbox', { name: 'Second text' }).fill('A robot sleeps.');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('Similarity 1.000')).toBeVisible();
  await openPage('#/models/endpoints/lab/rank?tab=try');
  await page.getByRole('button', { name: 'Rank', exact: true }).click();
  const ranking = page.getByRole('list', { name: 'Texts, the most relevant first' });
  await expect(ranking.getByRole('listitem').first()).toHaveText('0.100It rains.');
  await openPage('#/models/endpoints/lab/other?tab=try');
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST');
  await page.getByRole('textbox', { name: 'Path' }).fill('/fill-mask?x=1');
  await page.getByRole('textbox', { name: 'Body' }).fill('{"inputs":"a [MASK]"}');
  await page.getByRole('button', { name: 'Send' }).click();
  const reply = page.getByRole('region', { name: 'Reply', exact: true });
  await expect(reply).toContainText(/404 Not Found/);
  await expect(reply).toContainText('There is no /fill-mask?x=1.');
  expect(model.requests.at(-1)).toEqual({ path: '/fill-mask?x=1', body: { inputs: 'a [MASK]' } });
  await page.getByRole('textbox', { name: 'Path' }).fill('/../../../api/apps');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
});

test('who is not signed in sees the endpoint, and the form to sign in for the rest', async ({ page, openPage }) => {
  await page.context().clearCookies();
  await openPage('#/models/endpoints/lab/chat');
  await expect(page.getByRole('region', { name: 'chat', exact: true })).toContainText('running');
  await expect(page.getByRole('button', { name: /^(Pause|Delete) chat$/ })).toHaveCount(0);
  for (const [tab, heading] of [
    ['Try it', 'Sign in to try it'],
    ['Log', 'Sign in to read its log'],
    ['Settings', 'Sign in to change it'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect(page.getByLabel('Token of the daemon')).toBeVisible();
  }
  await openPage('#/models/endpoints/lab/nothing');
  await expect(page.getByRole('heading', { name: 'There is no endpoint lab/nothing' })).toBeVisible();
});

test('a log of 100,000 lines is followed, searched and paused, and the page renders a bounded part of it', async ({
  page,
  openPage,
  chat: { writeLog },
}) => {
  await openPage('#/models/endpoints/lab/embed?tab=log');
  const log = page.getByRole('log', { name: 'Output of embed' });
  await writeLog('first line\n');
  await expect(log).toContainText('first line');
  for (let from = 0; from < 100_000; from += 5_000) {
    const lines = Array.from(
      { length: 5_000 },
      (_, at) => `line ${from + at + 1} ${at === 4_990 ? 'error: it broke' : 'ok'}`,
    );
    await writeLog(`${lines.join('\n')}\n`);
    await page.waitForTimeout(100);
  }
  await expect(log).toContainText('line 100000 ok');
  expect(await log.locator('.output-line').count()).toBeLessThanOrEqual(2_000);
  await page.getByRole('button', { name: 'Pause the log' }).click();
  await writeLog('after the pause\n');
  await expect(page.getByText('Paused: 1 newer line.')).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(log).toContainText('after the pause');
  await page.getByRole('switch', { name: 'Errors only' }).click();
  await expect(page.getByRole('log', { name: 'Lines' })).toContainText('line 99991 error: it broke');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save matches in the log to a file' }).click();
  expect((await download).suggestedFilename()).toMatch(/^embed-matches-.*\.txt$/);
});

test('the memory of a conversation of 200 turns is flat', async ({ page, openPage, chat: { model } }) => {
  model.context = 100_000;
  model.answer = { pieces: Array.from({ length: 60 }, (_, at) => `piece ${at} of an answer\n`), pauseMs: 0 };
  await openPage('#/models/endpoints/lab/chat?tab=try');
  await expect(message(page)).toBeVisible();
  const clear = page.getByRole('button', { name: 'Clear the conversation' });
  if (await clear.isEnabled()) await clear.click();
  await message(page).focus();
  const heap: number[] = [];
  /** Without a look into the page, which would be tasks of its own. */
  const turns = async () => {
    for (let turn = 0; turn < 100; turn++) {
      const asked = model.requests.length;
      await page.keyboard.insertText('And then?');
      // Enter sends nothing while the answer before is under way, nor an empty message.
      const sent = async () => {
        await page.keyboard.press('Enter');
        return model.requests.length;
      };
      await expect.poll(sent, { intervals: [40] }).toBe(asked + 1);
    }
  };
  await turns();
  heap.push(await heapBytes(page));
  await turns();
  heap.push(await heapBytes(page));
  await expect(answers(page)).toHaveCount(200);
  await expect(answers(page).last()).toContainText('piece 59 of an answer');
  const [half = 0, whole = 0] = heap;
  expect(whole - half, 'bytes for a hundred turns').toBeLessThan(20_000_000);
});

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
