import { holderOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { jobStateText, jobTitle } from '../activity/job-text.ts';
import { announcementOf } from '../notifications/notice-text.ts';
import { robotHeadline } from '../robot/robot-text.ts';

/** Announces changes to screen readers without interrupting. The connection's notice announces itself. */
export function Announcer() {
  const robot = useDashboard((s) =>
    s.robot ? `Robot: ${robotHeadline(s.robot).word}. ${s.robot.reason ?? ''} ${s.robot.action ?? ''}` : '',
  );
  const app = useDashboard((s) => {
    if (s.slot.state !== 'free') return `App ${holderOf(s)}: ${s.slot.state}`;
    const { lastRun } = s.slot;
    return lastRun ? `App ${titleOf(s, lastRun.appName)} ended. ${lastRun.message}` : '';
  });
  const job = useDashboard((s) => {
    const [newest] = s.jobs;
    return newest ? `${jobTitle(newest, s)}: ${jobStateText(newest).word}${isActive(newest) ? '' : '.'}` : '';
  });
  const notice = useDashboard(({ notifications }) =>
    notifications?.newest ? announcementOf(notifications.newest) : '',
  );
  return (
    <div className="visually-hidden">
      {[robot, app, job, notice].map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four fixed places
        <p key={index} role="status">
          {sentence}
        </p>
      ))}
    </div>
  );
}
