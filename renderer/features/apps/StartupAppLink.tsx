import { hrefOf } from '../../parts/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { startupTitle } from './apps-slice.ts';

/** The app that starts when the robot wakes up, if one is chosen. */
export function StartupAppLink() {
  const name = useDashboard((s) => s.startupApp);
  const title = useDashboard(startupTitle);
  return name === null ? null : <a href={hrefOf('apps', { appName: name })}>{title}</a>;
}
