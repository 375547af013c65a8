import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppEmoji } from '../app-card/AppCardFrame.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { OwnAppControls } from './OwnAppControls.tsx';
import { OwnAppState } from './OwnAppState.tsx';
import { checkLine, installLine, publishedLine } from './own-app-text.ts';
import '../app-card/app-card.css';
import './own-apps.css';

/** The card of an app that the user writes. */
export function OwnAppCard({ app }: { readonly app: OwnApp }) {
  const { id, name, title, version, folder, emoji, check, run } = app;
  const isStopping = useDashboard(isBeingStopped(app));
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const installation = installLine(app, installed);
  return (
    <li>
      <article className="card app-card" aria-label={title}>
        <header className="app-card-head">
          <AppEmoji emoji={emoji} />
          <div className="app-card-names">
            <h2>
              <a href={hrefOf('apps', { ownAppId: id })}>
                <Foreign>{title}</Foreign>
              </a>
            </h2>
            <p className="muted small mono">{name ?? '–'}</p>
          </div>
          <OwnAppState app={app} />
        </header>
        <Foreign as="p" className="muted small mono own-card-folder" title={folder}>
          {folder}
        </Foreign>
        <div className="app-card-foot">
          <OwnAppControls app={app} />
          {name !== null && (run.state === 'running' || isStopping) && <RunNotes name={name} />}
          {run.problem !== null && <p className="small own-card-problem">{run.problem}</p>}
          {installation !== null && <p className="small muted">{installation}</p>}
          <p className="app-card-meta">
            {[version, checkLine(check), publishedLine(app)].filter((text) => text !== null).join(' · ')}
          </p>
        </div>
      </article>
    </li>
  );
}
