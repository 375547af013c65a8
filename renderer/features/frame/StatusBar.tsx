import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { StateMark, StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { holderName } from '../../slices/apps/apps-slice.ts';
import { isLost } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { robotInShort } from '../robot/robot-text.ts';
import { StopControl } from '../run/StopControl.tsx';
import './status-bar.css';

/** Always visible: the robot, the running app with Stop, the jobs, the daemon. */
export function StatusBar() {
  return (
    <footer className="status-bar">
      <RobotStatus />
      <RunningStatus />
      <JobsStatus />
      <DaemonStatus />
    </footer>
  );
}

function RobotStatus() {
  const robot = useDashboard((s) => s.robot);
  const lost = useDashboard(isLost);
  if (!robot) return <span className="status-part status-robot muted">Robot unknown</span>;
  const seen = robotInShort(robot);
  // The last known state may be out of date.
  const { word, tone } = lost ? ({ word: 'Unknown', tone: 'offline' } as const) : seen;
  const why = lost ? `was ${seen.word.toLowerCase()}` : seen.more;
  return (
    <a className="status-part status-robot" href={hrefOf('robot')} title={`Robot: ${word}, ${why}`}>
      <StateWord tone={tone}>{word}</StateWord>
      <span className="status-more muted">{why}</span>
    </a>
  );
}

function RunningStatus() {
  const slot = useDashboard((s) => s.slot);
  const lost = useDashboard(isLost);
  const known = useDashboard((s) => s.daemon !== null);
  if (!known) return <span className="status-part status-app" />;
  if (slot.state === 'free') return <span className="status-part status-app muted">No app runs</span>;
  const name = holderName(slot.holder);
  const managed = slot.holder.kind === 'managed-app';
  const tone = lost ? 'offline' : slot.state === 'running' ? 'running' : 'busy';
  return (
    <span className="status-part status-app">
      <span className={`status-run tone-${tone}`}>
        <StateMark tone={tone} />
        {managed ? <a href={hrefOf('apps', { appName: name })}>{name}</a> : <span>{name}</span>}
      </span>
      {slot.state === 'running' && !lost ? (
        <Elapsed since={slot.since} />
      ) : (
        <span className="status-more muted">{lost ? 'last seen' : slot.state}</span>
      )}
      <StopControl compact />
    </span>
  );
}

function JobsStatus() {
  const running = useDashboard((s) => s.jobs.filter(isActive).length);
  const known = useDashboard((s) => s.daemon !== null);
  return (
    <a className="status-part status-jobs" href={hrefOf('activity')}>
      {running > 0 ? (
        <StateWord tone="busy">{counted(running, 'job')}</StateWord>
      ) : (
        <span className="muted">{known ? 'No jobs' : 'Jobs'}</span>
      )}
    </a>
  );
}

function DaemonStatus() {
  const phase = useDashboard((s) => s.connection.phase);
  const version = useDashboard((s) => s.daemon?.version);
  const { port } = window.location;
  const title = version ? `robot-daemon ${version}${port && `, port ${port}`}` : 'robot-daemon';
  return (
    <span className="status-part status-daemon" title={title}>
      {phase === 'lost' ? (
        <StateWord tone="offline">No daemon</StateWord>
      ) : (
        <>
          <span className="status-more muted">{phase === 'connecting' ? 'Connecting' : 'Daemon'}</span>
          {port && <span className="muted mono">{port}</span>}
          <StateMark tone={phase === 'connecting' ? 'busy' : 'done'} />
        </>
      )}
    </span>
  );
}
