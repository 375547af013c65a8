import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { AppRefusal } from '../app-card/AppRefusal.tsx';
import { UpdateButton } from '../versions/UpdateButton.tsx';
import { isUpdatable } from '../versions/version-text.ts';

/** Lists the apps with an available update, except pinned ones. */
export function UpdatesNote() {
  const apps = useDashboard((s) => s.installedApps);
  const jobs = useDashboard((s) => s.jobs);
  const updatable = apps.filter(isUpdatable);
  if (updatable.length === 0) return null;
  return (
    <Note tone="idle" title={`${counted(updatable.length, 'update')} available`}>
      <ul className="home-updates">
        {updatable.map((app) => {
          const job = latestInstall(jobs, { name: app.name });
          return (
            <li key={app.name}>
              <a href={hrefOf('apps', { appName: app.name, tab: 'versions' })}>
                <Foreign>{app.title}</Foreign>
              </a>
              {job && isActive(job) ? <JobProgress job={job} /> : <UpdateButton app={app} compact />}
              <AppRefusal name={app.name} commands={['update']} />
            </li>
          );
        })}
      </ul>
    </Note>
  );
}
