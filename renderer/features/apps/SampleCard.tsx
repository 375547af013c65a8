import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { InstallWord } from '../activity/JobProgress.tsx';
import { AppCardFoot, AppState } from '../app-card/AppCard.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { AppMenu } from '../app-card/AppMenu.tsx';
import { useCardMessage } from '../app-card/use-card-message.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { sampleOrigin } from './apps-text.ts';
import { InstallControl } from './InstallControl.tsx';

/** The card of a bundled sample app: shows Install, then its progress, then Start. */
export function SampleCard({ sample }: { readonly sample: SampleApp }) {
  const app = useDashboard((s) => s.installedApps.find(({ name }) => name === sample.name));
  const job = useDashboard((s) => latestInstall(s.jobs, { name: sample.name, address: sample.url }));
  const message = useCardMessage(app);
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
    <AppCardFrame
      app={sample}
      href={hrefOf('apps', { appName: app.name })}
      state={<AppState app={app} />}
      text={message.text}
    >
      <AppCardFoot app={app} message={message} menu={<AppMenu app={app} withPages />} />
    </AppCardFrame>
  );
}
