import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { keepFocus } from '../../parts/focus/focus-keeper.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { graphicsCard, graphicsCards } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { GraphicsCardsSection } from './GraphicsCardsSection.tsx';

async function renderSection(answers: Answers, mayChange = true) {
  const dashboard = testDashboard(answers);
  renderDashboard(dashboard, <GraphicsCardsSection mayChange={mayChange} />);
  await act(async () => {});
  const count = (name: string) => dashboard.calls.filter((call) => call.name === name).length;
  return { ...dashboard, looks: () => count('listGraphicsCards'), tries: () => count('tryGraphicsCardsAgain') };
}
const listing = (change: Partial<GraphicsCards> = {}): Answers => ({ listGraphicsCards: () => graphicsCards(change) });
const section = () => within(screen.getByRole('region', { name: 'Graphics cards' }));
const cards = () => within(section().getByRole('list', { name: 'Graphics cards' }));
const button = () => section().queryByRole('button', { name: /^Try/ });
const usersOf = (name: string) =>
  within(section().getByRole('list', { name: `What uses the memory of ${name}` }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

const problem = {
  kind: 'driver-crashed',
  message: 'The graphics driver ended the program that used it (SIGSEGV).',
  action: 'Update the graphics driver, then try the card again under Models, This machine.',
} as const;
const use = { card: 'Example 4000', layers: 25, totalLayers: 25, memoryBytes: 1.2e9 };
const chat = { namespace: 'local', name: 'chat', use };

test('space is kept while the cards are looked for, and nothing is claimed of them', async () => {
  await renderSection({ listGraphicsCards: () => new Promise(() => {}) });
  expect(section().getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  expect(section().queryByText(/graphics card/)).toBeNull();
});

test('a machine without a graphics card says so in one quiet sentence', async () => {
  await renderSection(listing({ cards: [] }));
  expect(section().getByText('No graphics card was found that models can use: they run on the processor.')).toHaveClass(
    'muted',
  );
  expect(section().queryByRole('list')).toBeNull();
  expect(section().queryByRole('button')).toBeNull();
});

test('a card is shown with its driver, its use, and what holds its memory', async () => {
  const part = { ...chat, name: 'search', use: { ...use, layers: 10, memoryBytes: 500e6 } };
  const card = graphicsCard({ freeBytes: 5.9e9, users: [part, chat] });
  await renderSection(listing({ cards: [card], usagePercent: 36.6 }));
  expect(cards().getByText('Example 4000')).toBeVisible();
  expect(cards().getByText('example 1.2').parentElement).toHaveTextContent(/^example 1\.2 · Vulkan$/);
  expect(cards().getByText('in use')).toBeVisible();
  expect(cards().getByText('2.1 of 8.0 GB of memory in use · busy 37 % of the time')).toBeVisible();
  expect(usersOf('Example 4000')).toEqual([
    'chat25 of 25 layers1.2 GB',
    'search10 of 25 layers500 MB',
    'Other programs400 MB',
  ]);
  expect(cards().getByRole('link', { name: 'chat' })).toHaveAttribute('href', '#/models/endpoints/local/chat');
});

test('a use that is unknown is not mentioned, and a card that nothing uses lists nothing', async () => {
  await renderSection(listing({ cards: [graphicsCard({ freeBytes: 8e9, driver: null })] }));
  expect(cards().getByText('0 of 8.0 GB of memory in use')).toBeVisible();
  expect(section().queryByText(/busy/)).toBeNull();
  expect(cards().getByText(/^driver unknown · Vulkan$/)).toBeVisible();
  expect(section().queryByRole('list', { name: /^What uses/ })).toBeNull();
});

test('a card that shares the memory of the machine says so', async () => {
  await renderSection(listing({ cards: [graphicsCard({ api: 'metal', sharesMemory: true })] }));
  expect(cards().getByText(/Metal · its memory is part of the memory of this machine$/)).toBeVisible();
});

test('two cards are told apart by their numbers, and the use is the mean of both', async () => {
  const second = graphicsCard({ index: 1, name: 'Example 2000', totalBytes: 4e9, freeBytes: 4e9 });
  await renderSection(listing({ cards: [graphicsCard({ users: [chat] }), second], usagePercent: 12 }));
  const [first, other] = cards()
    .getAllByRole('listitem')
    .filter(({ parentElement }) => parentElement?.getAttribute('aria-label') === 'Graphics cards');
  expect(first).toHaveTextContent(/^Example 4000Number 0 · example 1\.2/);
  expect(first).toHaveTextContent(/in use.*1\.2 of 8\.0 GB/);
  expect(other).toHaveTextContent(/^Example 2000Number 1 · .*ready0 of 4\.0 GB of memory in use$/);
  expect(section().getByText('On average, the cards are busy 12 % of the time.')).toBeVisible();
});

test('cards that are switched off are shown, with the way to the switch', async () => {
  await renderSection(listing({ isOn: false }));
  expect(section().getByText(/^The graphics card is switched off: models run on the processor/)).toBeVisible();
  expect(section().getByRole('link', { name: 'Switch it on in Settings' })).toHaveAttribute(
    'href',
    '#/settings?section=graphics-card',
  );
  expect(cards().getByText('switched off')).toBeVisible();
  expect(section().queryByText(/of memory in use/)).toBeNull();
});

test('endpoints that are still on a card which is switched off are named', async () => {
  await renderSection(listing({ isOn: false, cards: [graphicsCard({ users: [chat] })] }));
  expect(usersOf('Example 4000')).toContain('chat25 of 25 layers1.2 GB');
});

test('while they are switched off and none is known, nothing is said about whether there is one', async () => {
  await renderSection(listing({ isOn: false, cards: [] }));
  expect(section().getByRole('link', { name: 'Switch it on in Settings' })).toBeVisible();
  expect(section().queryByText(/No graphics card/)).toBeNull();
});

test('a problem says what happened and what to do; the memory of a card that cannot be measured is not shown', async () => {
  await renderSection(listing({ problem, canTryAgain: true }));
  expect(section().getByText(problem.message)).toBeVisible();
  expect(section().getByText(problem.action)).toBeVisible();
  expect(cards().getByText('cannot be used')).toBeVisible();
  expect(section().queryByText(/of memory in use/)).toBeNull();
  expect(section().queryByText(/No graphics card was found/)).toBeNull();
  expect(button()).toBeEnabled();
});

test('who may not change anything sees the problem without the button', async () => {
  await renderSection(listing({ problem, canTryAgain: true }), false);
  expect(section().getByText(problem.message)).toBeVisible();
  expect(button()).toBeNull();
});

test('a try that is pressed by keyboard says at once that it is under way, and keeps the focus', async () => {
  const reply = Promise.withResolvers<GraphicsCards>();
  const { tries } = await renderSection({
    ...listing({ cards: [], problem, canTryAgain: true }),
    tryGraphicsCardsAgain: () => reply.promise,
  });
  await userEvent.tab();
  expect(button()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(button()).toHaveTextContent('Trying the graphics card…');
  expect(button()).toHaveFocus();
  expect(button()).toHaveAttribute('aria-disabled', 'true');
  expect(section().getByRole('status')).toHaveTextContent('Trying the graphics card: this can take half a minute.');
  await userEvent.keyboard('{Enter}');
  expect(tries()).toBe(1);
  await act(async () => reply.resolve(graphicsCards({ cards: [], problem, canTryAgain: true })));
  expect(section().getByRole('status')).toHaveTextContent('Tried: it cannot be used yet.');
  expect(button()).toHaveFocus();
  expect(button()).not.toHaveAttribute('aria-disabled', 'true');
});

test('a try that succeeds replaces the problem by the card, and the focus stays on the page', async () => {
  const stop = keepFocus();
  onTestFinished(stop);
  await renderSection({
    ...listing({ cards: [], problem, canTryAgain: true }),
    tryGraphicsCardsAgain: () => graphicsCards(),
  });
  await userEvent.click(button() as HTMLElement);
  expect(await section().findByText('Example 4000')).toBeVisible();
  expect(section().queryByText(problem.message)).toBeNull();
  expect(section().getByRole('status')).toHaveTextContent('It can be used: models use it from their next start.');
  await vi.waitFor(() => expect(document.body).not.toHaveFocus());
});

test('a try that is refused says why, and can be repeated', async () => {
  const refuse = () => Promise.reject(new DaemonError(507, 'The disk is full.'));
  const { tries } = await renderSection({
    ...listing({ cards: [], problem, canTryAgain: true }),
    tryGraphicsCardsAgain: refuse,
  });
  await userEvent.click(button() as HTMLElement);
  expect(await section().findByRole('alert')).toHaveTextContent('The disk is full.');
  await userEvent.click(button() as HTMLElement);
  expect(tries()).toBe(2);
});

test('without a connection nothing can be tried', async () => {
  const { store } = await renderSection(listing({ problem, canTryAgain: true }));
  act(() => store.getState().setConnection({ phase: 'connecting', lastSeen: null }));
  expect(button()).toBeDisabled();
});

test('a look that fails says why, and can be repeated', async () => {
  let answer = (): unknown => Promise.reject(new DaemonError(500, 'The runner is gone.'));
  await renderSection({ listGraphicsCards: () => answer() });
  expect(section().getByText('The graphics cards could not be looked up: The runner is gone.')).toBeVisible();
  expect(section().queryByText(/has no graphics card/)).toBeNull();
  answer = () => graphicsCards();
  await userEvent.click(section().getByRole('button', { name: 'Try again' }));
  expect(await section().findByText('Example 4000')).toBeVisible();
});

test('the cards are looked up again when an endpoint starts or ends, not while one downloads', async () => {
  const { store, looks } = await renderSection(listing());
  const changed = (revision: number, states: object) =>
    act(async () =>
      store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision, states: { ...states } } }),
    );
  await changed(2, { initializing: 1 });
  const before = looks();
  await changed(3, { initializing: 1 });
  await changed(4, { initializing: 1 });
  expect(looks()).toBe(before);
  await changed(5, { running: 1 });
  await vi.waitFor(() => expect(looks()).toBe(before + 1));
});

test('the cards are measured again every 10 s while the page is seen, and a slow look is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  let answer = (): unknown => graphicsCards();
  const { looks } = await renderSection({ listGraphicsCards: () => answer() });
  expect(looks()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(9_900));
  expect(looks()).toBe(1);
  const slow = Promise.withResolvers<GraphicsCards>();
  answer = () => slow.promise;
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(looks()).toBe(2);
  await act(() => vi.advanceTimersByTimeAsync(25_000));
  expect(looks(), 'while it is awaited').toBe(2);
  answer = () => graphicsCards();
  await act(async () => slow.resolve(graphicsCards({ usagePercent: 80 })));
  expect(section().getByText(/busy 80 %/)).toBeVisible();
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(looks(), 'while nobody sees it').toBe(2);
  seen.mockRestore();
  await act(() => vi.advanceTimersByTimeAsync(10_100));
  expect(looks()).toBe(3);
});
