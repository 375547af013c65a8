import { holderName } from '../../slices/apps/apps-slice.ts';
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
  const app = useDashboard(({ slot }) => {
    if (slot.state !== 'free') return `App ${holderName(slot.holder)}: ${slot.state}`;
    return slot.lastRun ? `App ${slot.lastRun.appName} ended. ${slot.lastRun.message}` : '';
  });
  const job = useDashboard(({ jobs: [newest] }) =>
    newest ? `${jobTitle(newest)}: ${jobStateText(newest).word}${isActive(newest) ? '' : '.'}` : '',
  );
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
