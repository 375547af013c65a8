import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { DaemonEvent } from '../../../daemon/contract/events.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { lines, outputPage, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { OutputPanel } from './OutputPanel.tsx';

afterEach(() => void vi.useRealTimers());

const slot = slotHeldBy('dance');
const output = (from: number, to: number) =>
  outputPage({ runId: 'run-1', appName: 'dance', firstKept: from, last: to, lines: lines(from, to) });

test('after a flood the newest lines are shown, with a link to everything that is kept', () => {
  renderDashboard(testDashboard({}, { slot, output: output(98_001, 100_000) }), <OutputPanel appName="dance" />);
  expect(screen.getByRole('note')).toHaveTextContent('The newest 2,000 of 100,000 lines. All that is kept of this run');
  expect(screen.getByRole('link', { name: 'All that is kept of this run' })).toHaveAttribute(
    'href',
    '#/apps/dance?tab=runs&run=run-1',
  );
});

test('while lines are loaded, the note says how many there are, and nothing claims that there is no output', () => {
  const dashboard = testDashboard({ getAppOutput: () => new Promise(() => {}) }, { slot });
  renderDashboard(dashboard, <OutputPanel appName="dance" />);
  const apply = (event: DaemonEvent) => act(() => dashboard.store.getState().apply(event));
  const run = { runId: 'run-1', appName: 'dance' };
  const log = () => screen.getByRole('log', { name: 'Output' });
  apply({ type: 'app-output.gap', ...run, from: 1, to: 50_000 });
  expect(screen.getByRole('note')).toHaveTextContent(/^Loading more lines… 50,000 lines so far\.$/);
  expect(log()).toHaveTextContent(/^Loading…$/);
  apply({ type: 'app-output.appended', ...run, lines: lines(50_001, 52_000) });
  expect(screen.getByRole('note')).toHaveTextContent(
    /^The newest 2,000 of 52,000 lines\. All that is kept of this run$/,
  );
});

test('a search of a growing output shows its matches on the whole run, and reads it again now and then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  let last = 3;
  const getRunOutput = () => {
    const found = lines(1, last);
    const counts = { kept: last, matches: last, before: 0 };
    return { runId: 'run-1', appName: 'dance', firstKept: 1, last, lines: found, ...counts };
  };
  const dashboard = testDashboard({ getRunOutput }, { slot, output: output(1, 3) });
  renderDashboard(dashboard, <OutputPanel appName="dance" />);
  expect(screen.getByRole('note')).toHaveTextContent(/^3 lines$/);
  fireEvent.change(screen.getByRole('textbox', { name: 'Search the output' }), { target: { value: 'LINE' } });
  await pass(250);
  expect(screen.getByText('3 matches in 3 lines.')).toBeVisible();
  const before = dashboard.calls.length;
  last = 13;
  for (let number = 4; number <= 13; number += 1) {
    const event = {
      type: 'app-output.appended',
      runId: 'run-1',
      appName: 'dance',
      lines: lines(number, number),
    } as const;
    act(() => dashboard.store.getState().apply(event));
  }
  await pass(1_500);
  expect(screen.getByText('13 matches in 13 lines.')).toBeVisible();
  expect(dashboard.calls.length - before, 'fewer requests than events').toBeLessThan(10);
  fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(screen.getByRole('log', { name: 'Output' })).toHaveTextContent('line 13');
});

test('while the newest lines are followed, only they are rendered; the others once the user scrolls up', () => {
  renderDashboard(testDashboard({}, { slot, output: output(1, 2_000) }), <OutputPanel appName="dance" />);
  const log = screen.getByRole('log', { name: 'Output' });
  const rendered = () => log.querySelectorAll('.output-line').length;
  expect(rendered()).toBe(150);
  expect(log).toHaveTextContent(/2000line 2000$/);
  expect(log.firstElementChild, 'the room of the others').toHaveStyle({ height: `${1_850 * 20}px` });
  Object.defineProperty(log, 'scrollHeight', { value: 40_000 });
  act(() => void log.dispatchEvent(new WheelEvent('wheel')));
  act(() => void fireEvent.scroll(log, { target: { scrollTop: 100 } }));
  expect(rendered()).toBe(2_000);
  expect(screen.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
});

test('of long lines fewer are rendered while they are followed, and the browser may skip each that is out of sight', () => {
  const long = lines(1, 100).map((line) => ({ ...line, text: 'x'.repeat(8_192) }));
  const page = outputPage({ runId: 'run-1', appName: 'dance', last: 100, lines: long });
  renderDashboard(testDashboard({}, { slot, output: page }), <OutputPanel appName="dance" />);
  const rendered = screen.getByRole('log', { name: 'Output' }).querySelectorAll('.output-line');
  expect(rendered).toHaveLength(4);
  expect(rendered[0]).toHaveAttribute('style', expect.stringContaining('auto 1640px'));
});

test('a letter that occurs thousands of times in a line is marked a few times', async () => {
  const found = lines(1, 2).map((line) => ({ ...line, text: 'xy'.repeat(4_000) }));
  const counts = { firstKept: 1, last: 2, kept: 2, matches: 2, before: 0 };
  const getRunOutput = () => ({ runId: 'run-1', appName: 'dance', lines: found, ...counts });
  renderDashboard(testDashboard({ getRunOutput }, { slot, output: output(1, 2) }), <OutputPanel appName="dance" />);
  await userEvent.click(screen.getByRole('textbox', { name: 'Search the output' }));
  await userEvent.paste('x');
  const log = await screen.findByRole('log', { name: 'Lines' });
  await waitFor(() => expect(log.querySelectorAll('mark')).toHaveLength(40));
  expect(log.querySelector('.output-text')).toHaveTextContent('xy'.repeat(4_000));
});
