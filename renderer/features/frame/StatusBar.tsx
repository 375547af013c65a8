import type { Connection } from '../../api/daemon-events.ts';
import { hrefOf, useRoute } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { SearchIcon } from '../../parts/icons.tsx';
import { StateMark, StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { holderName, holderOf } from '../../slices/apps/apps-slice.ts';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { NotificationBell } from '../notifications/NotificationBell.tsx';
import { robotInShort } from '../robot/robot-text.ts';
import { StopControl } from '../run/StopControl.tsx';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';
import './status-bar.css';

interface StatusBarProps {
  readonly onSearch: () => void;
  readonly onNotifications: () => void;
}

/** Always visible: the robot, the running app with Stop, except where Home has both, the jobs, the notifications, the search, the daemon. */
export function StatusBar({ onSearch, onNotifications }: StatusBarProps) {
  return (
    <footer className="status-bar">
      <RobotStatus />
      <RunningStatus />
      <JobsStatus />
      <NotificationBell onPress={onNotifications} />
      <SearchButton onPress={onSearch} />
      <DaemonStatus />
    </footer>
  );
}

function RobotStatus() {
  const robot = useDashboard((s) => s.robot);
  const stale = useDashboard(isStale);
  if (!robot) return <span className="status-part status-robot muted">Robot unknown</span>;
  const seen = robotInShort(robot);
  // The last known state may be out of date.
  const { word, tone } = stale ? ({ word: 'Unknown', tone: 'offline' } as const) : seen;
  const why = stale ? `was ${seen.word.toLowerCase()}` : seen.more;
  return (
    <a className="status-part status-robot" href={hrefOf('robot')} title={`Robot: ${word}, ${why}`}>
      <StateWord tone={tone}>{word}</StateWord>
      <span className="status-more muted">{why}</span>
    </a>
  );
}

function RunningStatus() {
  const slot = useDashboard((s) => s.slot);
  const title = useDashboard(holderOf) ?? '';
  const stale = useDashboard(isStale);
  const known = useDashboard((s) => s.daemon !== null);
  const { page } = useRoute();
  const isOnHome = page === 'home' && slot.state !== 'free';
  if (!known || isOnHome) return <span className="status-part status-app" />;
  if (slot.state === 'free')
    return <span className="status-part status-app muted">{stale ? 'No app ran' : 'No app runs'}</span>;
  const name = holderName(slot.holder);
  const managed = slot.holder.kind === 'managed-app';
  const tone = stale ? 'offline' : slot.state === 'running' ? 'running' : 'busy';
  return (
    <span className="status-part status-app">
      <span className={`status-run tone-${tone}`}>
        <StateMark tone={tone} />
        {managed ? (
          <a href={hrefOf('apps', { appName: name })}>
            <Foreign>{title}</Foreign>
          </a>
        ) : (
          <Foreign>{title}</Foreign>
        )}
      </span>
      {slot.state === 'running' && !stale ? (
        <Elapsed since={slot.since} />
      ) : (
        <span className="status-more muted">{stale ? 'last seen' : slot.state}</span>
      )}
      <StopControl compact />
    </span>
  );
}

/** The jobs under way; nothing while there are none. */
function JobsStatus() {
  const underWay = useDashboard((s) => s.jobs.filter(isActive).length);
  const stale = useDashboard(isStale);
  if (underWay === 0) return null;
  return (
    <a className="status-part status-jobs" href={hrefOf('activity')}>
      <StateWord tone={stale ? 'offline' : 'busy'}>{counted(underWay, 'job')}</StateWord>
    </a>
  );
}

function DaemonStatus() {
  const phase = useDashboard((s) => s.connection.phase);
  const isSignedOut = useDashboard((s) => s.isSignedOut);
  const version = useDashboard((s) => s.daemon?.version);
  const { port } = window.location;
  const title = version ? `robot-daemon ${version}${port && `, port ${port}`}` : 'robot-daemon';
  const absent = phase === 'lost' && isSignedOut ? 'Signed out' : absentText[phase];
  const connecting = phase === 'connecting' || phase === 'paused';
  return (
    <span className="status-part status-daemon" title={title}>
      {absent ? (
        <StateWord tone="offline">{absent}</StateWord>
      ) : (
        <>
          <span className="status-more muted">{connecting ? 'Connecting' : 'Daemon'}</span>
          {port && <span className="muted status-port">{port}</span>}
          <StateMark tone={connecting ? 'busy' : 'done'} />
        </>
      )}
    </span>
  );
}

const absentText: Partial<Record<Connection['phase'], string>> = { lost: 'No daemon', silent: 'No answer' };

function SearchButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button
      type="button"
      className="status-search"
      onClick={onPress}
      aria-keyshortcuts={ariaWithCtrl('K')}
      title={`Search or run: pages, apps, models, actions (${withCtrl('K')}). All shortcuts: ?`}
    >
      <SearchIcon size={14} />
      <span className="status-search-label">Search or run</span>
      <span aria-hidden="true">
        <kbd>{withCtrl('K')}</kbd>
      </span>
    </button>
  );
}
