import { appsUsing } from '../../../daemon/contract/apps/apps-using.ts';
import type { EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf } from '../../navigation/route.ts';
import { ForeignLink } from '../../parts/Foreign.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

export function useAppsUsing(of: EndpointRef) {
  const installedApps = useDashboard((s) => s.installedApps);
  const sampleApps = useDashboard((s) => s.sampleApps);
  return appsUsing(installedApps, of).map((name) => ({ name, title: titleOf({ installedApps, sampleApps }, name) }));
}

export function AppsUsing({ of }: { readonly of: EndpointRef }) {
  const apps = useAppsUsing(of);
  if (apps.length === 0) return <p className="muted small">No installed app uses it.</p>;
  return (
    <ul className="apps-using">
      {apps.map(({ name, title }) => (
        <li key={name}>
          <ForeignLink href={hrefOf('apps', { appName: name })}>{title}</ForeignLink>
        </li>
      ))}
    </ul>
  );
}
