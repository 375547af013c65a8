import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseModelButton } from '../run/ChooseModelButton.tsx';
import { useEndpointsOfNeeds } from './use-home-endpoints.ts';

interface LostModel {
  readonly app: InstalledApp;
  readonly need: AssignedNeed;
}

/** The needs without which apps do not start, and whose endpoints were deleted; null while that is not known. */
export function useLostModels(): readonly LostModel[] | null {
  const apps = useDashboard((s) => s.installedApps);
  const required = apps.flatMap((app) =>
    app.needs.filter(({ optional, endpoint }) => !optional && endpoint !== null).map((need) => ({ app, need })),
  );
  const endpoints = useEndpointsOfNeeds(required.map(({ need }) => need));
  if (required.length === 0) return [];
  return endpoints && required.filter(({ need: { endpoint } }) => endpoint && !endpoints.has(endpointId(endpoint)));
}

/** A note for each app that cannot start since the endpoint of a need was deleted. */
export function LostModels({ lost }: { readonly lost: readonly LostModel[] }) {
  return lost.map(({ app, need }) => (
    <Note
      key={`${app.name} ${need.name}`}
      tone="failed"
      title={
        <>
          <a href={hrefOf('apps', { appName: app.name })}>
            <Foreign>{app.title}</Foreign>
          </a>{' '}
          cannot start: {need.endpoint && endpointId(need.endpoint)}, its model for “{need.name}”, was deleted.
        </>
      }
      actions={<ChooseModelButton appName={app.name} need={need.name} />}
    />
  ));
}
