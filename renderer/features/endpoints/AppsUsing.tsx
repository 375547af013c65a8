import { appsUsing } from '../../../daemon/contract/apps/apps-using.ts';
import type { EndpointRef } from '../../../daemon/contract/apps/needs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** The names of the apps that use an endpoint. */
export function useAppsUsing(of: EndpointRef): readonly string[] {
  return appsUsing(
    useDashboard((s) => s.installedApps),
    of,
  );
}

interface AppsUsingProps {
  readonly of: EndpointRef;
  /** Shown when there are none. */
  readonly none?: string;
}

/** Lists the apps that use an endpoint. */
export function AppsUsing({ of, none }: AppsUsingProps) {
  const names = useAppsUsing(of);
  if (names.length === 0) return none === undefined ? null : <p className="muted small">{none}</p>;
  return (
    <ul className="apps-using">
      {names.map((appName) => (
        <li key={appName}>
          <a href={hrefOf('apps', { appName })}>{appName}</a>
        </li>
      ))}
    </ul>
  );
}
