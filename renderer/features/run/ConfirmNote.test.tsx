import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ConfirmNote } from './StartRefusal.tsx';

function ask({ pending = false } = {}) {
  const answered: string[] = [];
  const dashboard = testDashboard();
  const noteOf = (isPending: boolean) => (
    <ConfirmNote
      question="Dance is running."
      answer="Replace Dance"
      pending={isPending}
      onConfirm={() => answered.push('confirmed')}
      onCancel={() => answered.push('cancelled')}
    />
  );
  const { rerender } = renderDashboard(dashboard, noteOf(pending));
  return { dashboard, answered, setPending: (isPending: boolean) => rerender(noteOf(isPending)) };
}

const answer = () => screen.getByRole('button', { name: 'Replace Dance' });
const cancel = () => screen.getByRole('button', { name: 'Cancel' });

test('the question is announced at once, and its first button has the focus', () => {
  ask();
  expect(screen.getByRole('alert')).toHaveTextContent(/^Dance is running\.Replace DanceCancel$/);
  expect(answer()).toHaveFocus();
});

test('a question below the visible part of the page is scrolled to once', () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => scroll.mockRestore());
  const { setPending } = ask();
  setPending(true);
  expect(scroll.mock.calls).toEqual([[{ block: 'nearest' }]]);
  expect(scroll.mock.contexts[0]).toContainElement(screen.getByRole('alert'));
});

test('each button gives its own answer', async () => {
  const { answered } = ask();
  await userEvent.click(answer());
  expect(answered).toEqual(['confirmed']);
  await userEvent.click(cancel());
  expect(answered).toEqual(['confirmed', 'cancelled']);
});

test('an answer that is on its way cannot be given again, and can be cancelled', async () => {
  const { answered, setPending } = ask();
  expect(answer()).not.toHaveAttribute('data-loading');
  setPending(true);
  expect(answer()).toHaveAttribute('data-loading');
  // It keeps the focus, so it is not disabled for the browser.
  expect(answer()).toHaveFocus();
  expect(answer()).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(answer());
  expect(answered).toEqual([]);
  await userEvent.click(cancel());
  expect(answered).toEqual(['cancelled']);
  setPending(false);
  await userEvent.click(answer());
  expect(answered).toEqual(['cancelled', 'confirmed']);
});

test('without a connection it can be cancelled only, until the daemon is back', async () => {
  const { dashboard, answered } = ask();
  const { setConnection } = dashboard.store.getState();
  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  expect(answer()).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(answer());
  expect(answered).toEqual([]);
  await userEvent.click(cancel());
  expect(answered).toEqual(['cancelled']);
  act(() => setConnection({ phase: 'open' }));
  await userEvent.click(answer());
  expect(answered).toEqual(['cancelled', 'confirmed']);
});
