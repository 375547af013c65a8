import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Readme as ReadmeText } from '../../../daemon/contract/apps/readme.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { useAsked } from '../../store/use-asked.ts';
import { Readme } from './Readme.tsx';
import { installedPlace } from './readme-place.ts';

/** The README of the installed version of an app. */
export function AppReadme({ app }: { readonly app: InstalledApp }) {
  const { value, error, again } = useAsked<ReadmeText>(['app-readme', app.name, app.installedAt], (call, signal) =>
    call('getAppReadme', { params: { appName: app.name }, signal }),
  );
  return (
    <section className="card stack" aria-labelledby="app-readme">
      <h2 id="app-readme">README</h2>
      {error && <FailedNote error={error} title="The README could not be loaded" onRetry={again} />}
      {value ? <Readme readme={value} place={installedPlace(app.name, app.source)} /> : !error && <Skeleton rows={4} />}
    </section>
  );
}
