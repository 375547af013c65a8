import { hrefOf } from '../../navigation/route.ts';
import { startupTitle } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** The app that starts when the robot wakes up, if one is chosen. */
export function StartupAppLink() {
  const name = useDashboard((s) => s.startupApp);
  const title = useDashboard(startupTitle);
  return name === null ? null : <a href={hrefOf('apps', { appName: name })}>{title}</a>;
}
