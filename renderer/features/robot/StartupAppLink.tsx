import { hrefOf } from '../../navigation/route.ts';
import { startupTitle } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** A link to the startup app; nothing without one. */
export function StartupAppLink() {
  const name = useDashboard((s) => s.startupApp);
  const title = useDashboard(startupTitle);
  return name === null ? null : <a href={hrefOf('apps', { appName: name })}>{title}</a>;
}
