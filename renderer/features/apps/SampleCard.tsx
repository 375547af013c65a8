import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { InstallWord } from '../activity/JobProgress.tsx';
import { AppState } from '../app-card/AppCard.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { AppMenu } from '../app-card/AppMenu.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { AppControls } from '../run/AppControls.tsx';
import { CardCrash } from '../run/CrashNote.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';
import { InstallControl, sampleOrigin } from './InstallControl.tsx';

/** The card of a bundled sample app: shows Install, then its progress, then Start. */
export function SampleCard({ sample }: { readonly sample: SampleApp }) {
  const app = useDashboard((s) => s.installedApps.find(({ name }) => name === sample.name));
  const job = useDashboard((s) => latestInstall(s.jobs, { name: sample.name, address: sample.url }));
  if (!app) {
    return (
      <AppCardFrame
        app={sample}
        state={job && isActive(job) ? <InstallWord job={job} /> : <StateWord tone="idle">not installed</StateWord>}
      >
        <InstallControl installable={sample} />
        <p className="app-card-meta">
          {[needsText(sample.needs), sampleOrigin(sample)].filter((text) => text !== null).join(' · ')}
        </p>
      </AppCardFrame>
    );
  }
  return (
    <AppCardFrame app={sample} href={hrefOf('apps', { appName: app.name })} state={<AppState app={app} />}>
      <AppControls app={app} menu={<AppMenu app={app} withPages />} />
      <RunNotes name={app.name} />
      <CardCrash name={app.name} />
      <UpdateFailure app={app} />
      <p className="app-card-meta">
        <span>
          Installed <TimeAgo at={app.installedAt} />
        </span>
      </p>
    </AppCardFrame>
  );
}
