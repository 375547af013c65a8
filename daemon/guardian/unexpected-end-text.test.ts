import { expect, test } from 'vitest';
import { describeEnd, type UnexpectedEnd } from './unexpected-end.ts';

const end: UnexpectedEnd = {
  at: '2026-11-21T11:00:00.000Z',
  appName: null,
  processesGone: true,
  robot: { state: 'folded' },
};
const said = (more: Partial<UnexpectedEnd>) => {
  const { done, action } = describeEnd({ ...end, ...more });
  return `${done} ${action}`;
};

test('an unexpected end is described with its time and its likely causes', () => {
  expect(describeEnd(end)).toEqual({
    at: end.at,
    what: 'Robot Desktop ended unexpectedly: it crashed, or it was ended by force, for example when you logged out.',
    done: 'The robot was folded.',
    action: 'If this happens again, start it in a terminal: its last lines name the cause.',
  });
});

test('an app that was ended is named', () => {
  expect(said({ appName: 'dance', robot: { state: 'limp' } })).toBe(
    'The app dance was ended. The motors of the robot were off already. Start dance again if you need it.',
  );
});

test('a robot that stands is the most important thing', () => {
  const robot = { state: 'not-folded', reason: 'The robot is not plugged in.', action: 'Connect it.' } as const;
  expect(said({ appName: 'dance', processesGone: false, robot })).toBe(
    'The app dance was ended. Some processes or containers that it had started could not be ended. The robot could not be folded: The robot is not plugged in. Connect it.',
  );
  expect(said({ robot: { ...robot, action: null } })).toContain('Unplug the robot, and plug it in again.');
});

test('of a simulated robot nothing had to be folded', () => {
  expect(said({ robot: { state: 'simulated' } })).toContain('The robot was a simulated one.');
});
