/** The README of an app in the page. Dear because jsdom takes seconds to draw READMEs with thousands of elements or images. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { commit, hub, snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { Readme } from './Readme.tsx';
import { installedPlace, storePlace } from './readme-links.ts';
import { type ReadmeParser, ReadmeParserContext } from './readme-parser.ts';
import { readmeTree } from './readme-tree.ts';

const url = `${hub}/spaces/anna/dance`;
const place = storePlace({ url, id: 'anna/dance', commit: commit('b') });

async function renderReadme(markdown: string, answers: Answers = {}, from = place) {
  const dashboard = testDashboard(answers);
  const { container } = renderDashboard(
    dashboard,
    <section aria-label="README">
      <Readme readme={{ markdown, truncated: false }} place={from} />
    </section>,
  );
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
  return { ...dashboard, container };
}

test('Markdown is shown with its headings below those of the page, lists, tables and code', async () => {
  await renderReadme(
    '# Dance\n\n## Use\n\n- one\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nrun()\n```\n\n~~old~~',
  );
  expect(screen.getByRole('heading', { level: 3, name: 'Dance' })).toHaveAttribute('dir', 'auto');
  expect(screen.getByRole('heading', { level: 4, name: 'Use' })).toBeVisible();
  expect(screen.getAllByRole('listitem')[1]).toHaveTextContent('done: two');
  expect(screen.getByRole('cell', { name: '2' })).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('run()').tagName).toBe('CODE');
});

test('links open outside, relative ones in the repository, and those that could do harm are text', async () => {
  await renderReadme(
    '[web](https://example.org/x) [file](docs/a.md) [here](#use) [script](javascript:alert(1)) [data](data:text/html,x) <https://example.org/y>',
  );
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'https://example.org/x',
    `${url}/blob/${commit('b')}/docs/a.md`,
    'https://example.org/y',
  ]);
  for (const link of screen.getAllByRole('link')) {
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  }
  expect(screen.getByText('script')).toBeVisible();
});

test('nothing of the HTML in a README gets into the page', async () => {
  const { container } = await renderReadme(
    'Hello <b onclick="alert(1)">you</b>\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n<iframe src="https://evil.test"></iframe>\n\n<svg onload="alert(1)"/>\n\n<form action="https://evil.test"><input name="token"></form>\n\n<style>body{display:none}</style>',
  );
  expect(screen.getByRole('region', { name: 'README' })).toHaveTextContent(/^Hello you$/);
  expect(
    container.querySelector('.readme :is(script, img, iframe, svg, form, input, style, [onclick], [style], [id])'),
  ).toBeNull();
});

test('an image of the repository is asked for after a click; another is a link that names its host', async () => {
  const { calls, container } = await renderReadme('![A robot](docs/pic.png) ![pixel](https://tracker.test/p.gif)', {
    getStoreAppImage: () => ({ type: 'image/png', base64: 'iVBORw0KGgo=' }),
  });
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByRole('link', { name: 'Image at tracker.test: pixel' })).toHaveAttribute(
    'href',
    'https://tracker.test/p.gif',
  );
  expect(calls).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show the image A robot' }));
  expect(await screen.findByRole('img', { name: 'A robot' })).toHaveAttribute(
    'src',
    'data:image/png;base64,iVBORw0KGgo=',
  );
  expect(calls).toMatchObject([
    {
      name: 'getStoreAppImage',
      input: { params: { owner: 'anna', name: 'dance' }, query: { path: 'docs/pic.png', commit: commit('b') } },
    },
  ]);
});

test('an image that is refused says why, and can be asked for again', async () => {
  const { calls } = await renderReadme('![logo](logo.svg)', {
    getStoreAppImage: () => Promise.reject(new DaemonError(422, 'This is no PNG, JPEG, GIF, WebP or AVIF image.')),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Show the image logo' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This is no PNG');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(calls).toHaveLength(2);
});

test('a badge in a link stays a link with the text of the badge', async () => {
  const { container } = await renderReadme('[![build](https://badge.test/x.svg)](https://ci.test/dance)');
  expect(screen.getByRole('link', { name: 'build' })).toHaveAttribute('href', 'https://ci.test/dance');
  expect(container.querySelector('a a, a button, img')).toBeNull();
});

test('an installed app asks for the images beside its README, one from a repository without them has none', async () => {
  const { calls } = await renderReadme(
    '![pic](pic.png)',
    { getAppImage: () => ({ type: 'image/png', base64: '' }) },
    installedPlace('dance', { kind: 'folder', path: '/home/ann/dance' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show the image pic' }));
  expect(calls).toMatchObject([
    { name: 'getAppImage', input: { params: { appName: 'dance' }, query: { path: 'pic.png' } } },
  ]);
});

test.each([
  ['quotes', `${'>'.repeat(12)} deep`.concat(`\n${'>'.repeat(12)} x`.repeat(2_000))],
  [
    'lists',
    Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- ${depth}`)
      .join('\n')
      .repeat(60),
  ],
  ['brackets', `${'['.repeat(4_999)}\n`.repeat(12)],
  ['images', `${'!['.repeat(2_400)}\n`.repeat(12)],
  ['stars', `${'*a '.repeat(1_600)}\n`.repeat(12)],
  ['backticks', Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
  ['cells', `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n`.concat(`|${'a|'.repeat(2_000)}\n`.repeat(12))],
  ['references', `[a]: https://x.test\n\n${'[a] '.repeat(15_000)}`],
])('hostile %s end up as a page of bounded size', async (_, markdown) => {
  const { container } = await renderReadme(markdown.slice(0, 64 * 1024));
  await waitFor(() => expect(container.querySelector('.readme')?.textContent).not.toBe(''));
  expect(container.querySelectorAll('.readme *').length).toBeLessThan(7_000);
});

test('of many images the first are shown after a click, the others are their text', async () => {
  const { container } = await renderReadme('![pic](a.png) '.repeat(150));
  expect(screen.getAllByRole('button', { name: 'Show the image pic' })).toHaveLength(100);
  expect(container.querySelector('.readme')?.textContent.match(/pic/g)).toHaveLength(150);
});

test('a README that cannot be parsed is plain text, and says so', async () => {
  renderDashboard(
    testDashboard(),
    <ReadmeParserContext value={() => Promise.reject(new Error('The README takes too long to parse.'))}>
      <Readme readme={{ markdown: '# Dance <b>', truncated: false }} place={place} />
    </ReadmeParserContext>,
  );
  expect(await screen.findByText('# Dance <b>')).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('This README is shown as plain text, since its formatting could not be read.')).toBeVisible();
});

test('a README that could not be parsed is parsed again after a reconnect', async () => {
  let fails = true;
  const parse: ReadmeParser = (markdown) =>
    fails ? Promise.reject(new Error('The README cannot be parsed.')) : Promise.resolve(readmeTree(markdown));
  const dashboard = testDashboard();
  renderDashboard(
    dashboard,
    <ReadmeParserContext value={parse}>
      <Readme readme={{ markdown: '# Dance', truncated: false }} place={place} />
    </ReadmeParserContext>,
  );
  expect(await screen.findByText('# Dance')).toBeVisible();
  fails = false;
  act(() => dashboard.store.getState().apply({ type: 'snapshot', snapshot: snapshot() }));
  expect(await screen.findByRole('heading', { name: 'Dance' })).toBeVisible();
});

test('another README takes the place of one that is still being parsed', async () => {
  const ended: string[] = [];
  const parse: ReadmeParser = (markdown, signal) => {
    signal.addEventListener('abort', () => ended.push(markdown));
    return markdown === 'slow' ? new Promise(() => {}) : Promise.resolve(readmeTree(markdown));
  };
  const shown = (markdown: string) => (
    <ReadmeParserContext value={parse}>
      <Readme readme={{ markdown, truncated: false }} place={place} />
    </ReadmeParserContext>
  );
  const { rerender } = renderDashboard(testDashboard(), shown('slow'));
  expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible();
  rerender(shown('*quick*'));
  expect(await screen.findByText('quick')).toBeVisible();
  expect(ended).toEqual(['slow']);
});

test('text from right to left keeps its direction to itself', async () => {
  await renderReadme('שלום world\n\n[קישור](https://example.org)');
  expect(screen.getByText('שלום world')).toHaveAttribute('dir', 'auto');
  expect(within(screen.getByRole('region', { name: 'README' })).getByRole('link')).toBeVisible();
});
