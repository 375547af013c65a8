import type { DaemonStatus } from '../contract/daemon.ts';
import type { RescuedRobot, UnexpectedEnd } from './unexpected-end.ts';

/** Texts for people: what happened, what was done about it, and what to do. */
export function describeEnd(end: UnexpectedEnd): NonNullable<DaemonStatus['unexpectedEnd']> {
  return {
    at: end.at,
    what: 'Robot Desktop ended unexpectedly: it crashed, or it was ended by force, as at the end of a session.',
    done: doneText(end),
    action: actionText(end),
  };
}

function doneText({ appName, processesGone, robot }: UnexpectedEnd): string {
  const processes = processesGone ? '' : 'Some processes or containers that it had started could not be ended.';
  return [appName === null ? '' : `The app ${appName} was ended.`, processes, robotText(robot)]
    .filter(Boolean)
    .join(' ');
}

function robotText(robot: RescuedRobot): string {
  switch (robot.state) {
    case 'folded':
      return 'The robot was folded.';
    case 'limp':
      return 'The motors of the robot were off already.';
    case 'simulated':
      return 'The robot was a simulated one.';
    case 'not-folded':
      return `The robot could not be folded: ${robot.reason}`;
  }
}

/** One thing, the most important one. */
function actionText({ appName, robot }: UnexpectedEnd): string {
  if (robot.state === 'not-folded') return robot.action ?? 'Unplug the robot, and plug it in again.';
  if (appName !== null) return `Start ${appName} again if you need it.`;
  return 'If this happens again, start it in a terminal: its last lines name the cause.';
}
