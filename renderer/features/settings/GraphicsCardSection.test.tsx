import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { keepFocus } from '../../parts/focus/focus-keeper.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { graphicsCard, graphicsCards, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { GraphicsCardSection } from './GraphicsCardSection.tsx';

async function renderSection(answers: Answers = {}, signedIn = true) {
  const dashboard = testDashboard({
    getSession: () => session({ signedIn }),
    listGraphicsCards: () => graphicsCards(),
    ...answers,
  });
  await act(() => dashboard.store.getState().loadSession());
  renderDashboard(dashboard, <GraphicsCardSection />);
  await act(async () => {});
  return dashboard;
}
const section = () => within(screen.getByRole('region', { name: 'Graphics card' }));
const toggle = () => section().getByRole('switch', { name: 'Use the graphics card' });
const status = () => section().getByRole('status');

test('the switch is on, and says what it does and when running endpoints follow', async () => {
  await renderSection();
  expect(toggle()).toBeChecked();
  expect(toggle()).toHaveAccessibleDescription('Models use it from their next start, as far as memory allows.');
  expect(status()).toHaveTextContent('Example 4000. What uses it is under This machine.');
  expect(section().getByRole('link', { name: 'This machine' })).toHaveAttribute('href', '#/models?tab=machine');
});

test('it is switched by keyboard, once, and shows what the daemon answers; the focus comes back', async () => {
  onTestFinished(keepFocus());
  const reply = Promise.withResolvers<GraphicsCards>();
  const { calls } = await renderSection({ switchGraphicsCards: () => reply.promise });
  toggle().focus();
  await userEvent.keyboard(' ');
  expect(toggle(), 'it shows what is, not what is wished').toBeChecked();
  expect(toggle()).toBeDisabled();
  expect(status()).toHaveTextContent('Saving…');
  expect(calls.filter(({ name }) => name === 'switchGraphicsCards')).toEqual([
    { name: 'switchGraphicsCards', input: { body: { isOn: false } } },
  ]);
  await act(async () => reply.resolve(graphicsCards({ isOn: false })));
  expect(toggle()).not.toBeChecked();
  expect(toggle()).toHaveAccessibleDescription('Models use the processor from their next start; some need the card.');
  await vi.waitFor(() => expect(toggle()).toHaveFocus());
});

test('a switch that is refused stays as it is, and says why', async () => {
  await renderSection({ switchGraphicsCards: () => Promise.reject(new DaemonError(507, 'The disk is full.')) });
  await userEvent.click(toggle());
  expect(await section().findByRole('alert')).toHaveTextContent('The disk is full.');
  expect(toggle()).toBeChecked();
  expect(toggle()).toBeEnabled();
});

test.each([
  [{ cards: [] }, 'No graphics card was found that models can use: the switch changes nothing now.'],
  [{ cards: [], isOn: false }, 'Graphics cards are looked for once this is on.'],
  [{ cards: [graphicsCard(), graphicsCard({ index: 1, name: 'Example 2000' })] }, 'Example 4000, Example 2000.'],
  [
    { cards: [], problem: { kind: 'no-driver', message: 'No driver is installed.', action: 'Install it.' } } as const,
    'No driver is installed. What to do: This machine',
  ],
])('it says which cards there are, or why there is none: %j', async (change, text) => {
  await renderSection({ listGraphicsCards: () => graphicsCards({ ...change, cards: [...change.cards] }) });
  expect(status()).toHaveTextContent(text);
});

test('nothing is claimed until the daemon answers, and a failure can be repeated', async () => {
  const first = Promise.withResolvers<never>();
  let answer = (): unknown => first.promise;
  await renderSection({ listGraphicsCards: () => answer() });
  expect(section().queryByRole('switch')).toBeNull();
  await act(async () => first.reject(new DaemonError(500, 'The runner is gone.')));
  expect(section().getByText('The graphics card could not be looked up: The runner is gone.')).toBeVisible();
  expect(section().queryByRole('switch')).toBeNull();
  answer = () => graphicsCards({ isOn: false });
  await userEvent.click(section().getByRole('button', { name: 'Try again' }));
  expect(toggle()).not.toBeChecked();
});

test('who is not signed in sees how it is, and signs in to change it', async () => {
  await renderSection({}, false);
  expect(toggle()).toBeChecked();
  expect(toggle()).toBeDisabled();
  expect(section().getByText('Sign this browser in, above, to change it.')).toBeVisible();
});

test('without a connection it cannot be switched', async () => {
  const { store } = await renderSection();
  act(() => store.getState().setConnection({ phase: 'connecting', lastSeen: null }));
  expect(toggle()).toBeDisabled();
});
