import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WorkStep } from '../../../daemon/contract/common/progress.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installJob } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { JobRow, JobSteps } from './JobRow.tsx';

const step = (name: string, state: WorkStep['state']): WorkStep => ({ name, title: `Title of ${name}`, state });

function renderSteps(...steps: readonly WorkStep[]) {
  renderDashboard(testDashboard(), <JobSteps steps={steps} />);
  return screen.queryAllByRole('listitem');
}

test('the steps of a job are a list in their order, named Steps', () => {
  const items = renderSteps(step('copy', 'done'), step('build', 'running'), step('check', 'pending'));
  expect(screen.getByRole('list', { name: 'Steps' }).tagName).toBe('OL');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Title of copy, done',
    'Title of build, running',
    'Title of check, pending',
  ]);
});

test.each([
  ['pending', 'idle'],
  ['running', 'busy'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['cancelled', 'offline'],
] as const)(
  'a step that is %s says so in a word for screen readers and by its shape, which they skip',
  (state, tone) => {
    const [item] = renderSteps(step('copy', state));
    expect(item).toHaveTextContent(`Title of copy, ${state}`);
    expect(screen.getByText(`, ${state}`)).toHaveClass('visually-hidden');
    expect(item).toHaveClass(`step-${state}`);
    const mark = item?.querySelector('svg');
    expect(mark).toHaveClass(`tone-${tone}`);
    expect(mark).toHaveAttribute('aria-hidden', 'true');
  },
);

test('only the step that runs is the current one', () => {
  const states = ['done', 'running', 'pending', 'failed', 'cancelled'] as const;
  const items = renderSteps(...states.map((state) => step(state, state)));
  expect(items.map((each) => each.getAttribute('aria-current'))).toEqual([null, 'step', null, null, null]);
});

test('no step is the current one when the job has ended', () => {
  const items = renderSteps(step('copy', 'done'), step('build', 'failed'), step('check', 'pending'));
  expect(items.filter((each) => each.hasAttribute('aria-current'))).toEqual([]);
});

test('a job without steps shows an empty list', () => {
  expect(renderSteps()).toEqual([]);
  expect(screen.getByRole('list', { name: 'Steps' })).toBeInTheDocument();
});

test('the log of a running job shows its newest lines while it grows', () => {
  const row = (...logTail: string[]) => (
    <ul>
      <JobRow job={installJob('dance', { state: 'running', logTail })} />
    </ul>
  );
  const { rerender } = renderDashboard(testDashboard(), row('one'));
  const log = screen.getByRole('log', { name: 'Log of dance' });
  Object.defineProperty(log, 'scrollHeight', { value: 400 });
  rerender(row('one', 'two'));
  expect(log.scrollTop).toBe(400);
});
