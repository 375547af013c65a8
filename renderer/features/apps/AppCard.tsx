import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import { hrefOf } from '../../parts/route.ts';
import { StateWord } from '../../parts/StateWord.tsx';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppCardFrame } from './AppCardFrame.tsx';
import { AppControls } from './AppControls.tsx';
import { runOf } from './apps-slice.ts';
import { RunNotes } from './RunNotes.tsx';
import { appWords } from './run-words.ts';

export function AppCard({ app }: { readonly app: InstalledApp }) {
  const startsByItself = useDashboard((s) => s.startupApp === app.name);
  return (
    <AppCardFrame app={app} href={hrefOf('apps', { appName: app.name })} state={<AppState name={app.name} />}>
      <AppControls app={app} />
      <RunNotes name={app.name} />
      <p className="app-card-meta">
        {app.version} · installed <TimeAgo at={app.installedAt} />
        {startsByItself && ' · starts at wake-up'}
      </p>
    </AppCardFrame>
  );
}

/** What the app does, and for how long. */
export function AppState({ name }: { readonly name: string }) {
  const slot = useDashboard((s) => s.slot);
  const { word, tone } = appWords(slot, name);
  const run = runOf(slot, name);
  return (
    <span className="row app-state">
      <StateWord tone={tone}>{word}</StateWord>
      {run?.state === 'running' && <Elapsed since={run.since} />}
    </span>
  );
}
