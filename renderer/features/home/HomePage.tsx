import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Fact } from '../../parts/Fact.tsx';
import { counted } from '../../parts/format.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { Section } from '../../parts/Section.tsx';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { holderName, titleOf } from '../../slices/apps/apps-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { LiveRobot } from '../robot/RobotDrawing.tsx';
import { RobotStatus } from '../robot/RobotStatus.tsx';
import { StartupAppLink } from '../robot/StartupAppLink.tsx';
import { endText } from '../run/run-text.ts';
import { NeedsAttention } from './NeedsAttention.tsx';
import { NextStepCard, useRobotFirst } from './NextStepCard.tsx';
import { RunningEndpoints } from './NowRunning.tsx';
import './home-page.css';

export function HomePage() {
  return (
    <>
      <PageHeader title="Home" />
      <div className="home-page">
        <HomeRobot />
        <div className="stack home-side">
          <NextStepCard />
          <RunningEndpoints />
          <NeedsAttention />
          <AtAGlance />
        </div>
      </div>
    </>
  );
}

function HomeRobot() {
  const robot = useDashboard((s) => s.robot);
  const robotFirst = useRobotFirst();
  const startup = useDashboard((s) => s.startupApp !== null);
  return (
    <section className="card stack tight" aria-label="The robot">
      <div className="home-picture">
        <LiveRobot />
      </div>
      <div className="home-robot-text">{robot && <RobotStatus robot={robot} withProblem={!robotFirst} />}</div>
      {startup && (
        <p className="muted small">
          Starts <StartupAppLink /> when it wakes up
        </p>
      )}
      <p className="small">
        <a href={hrefOf('robot')}>Controls and joints</a>
      </p>
    </section>
  );
}

const lines = [
  ['Running', Running],
  ['Last crash', LastCrash],
  ['Models', Models],
  ['Activity', Work],
  ['Storage', DiskSpace],
] as const;

/** One line each: what runs, the last run and crash, models that answer, work under way, the disk. */
function AtAGlance() {
  return (
    <Section title="At a glance">
      <dl className="facts">
        {lines.map(([name, Line]) => (
          <Fact key={name} name={name}>
            <Line />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Running() {
  const slot = useDashboard((s) => s.slot);
  const name = slot.state === 'free' ? (slot.lastRun?.appName ?? '') : holderName(slot.holder);
  const title = useDashboard((s) => titleOf(s, name));
  if (slot.state !== 'free') {
    return (
      <>
        {slot.holder.kind === 'managed-app' ? <a href={hrefOf('apps', { appName: name })}>{title}</a> : name},{' '}
        {slot.state} <Elapsed since={slot.since} />
      </>
    );
  }
  if (!slot.lastRun) return 'No app has run yet';
  return (
    <>
      Nothing. <a href={hrefOf('apps', { appName: name, tab: 'runs' })}>{title}</a> {endText(slot.lastRun).word}{' '}
      <TimeAgo at={slot.lastRun.endedAt} />
    </>
  );
}

function LastCrash() {
  const run = useDashboard((s) => s.crashes[0]?.run ?? null);
  const title = useDashboard((s) => titleOf(s, run?.appName ?? ''));
  if (!run) return 'None to look at';
  return (
    <>
      <a href={hrefOf('apps', { appName: run.appName, tab: 'runs', run: run.runId })}>{title}</a>{' '}
      <TimeAgo at={run.endedAt} />
    </>
  );
}

function Models() {
  const status = useDashboard((s) => s.endpointsStatus);
  const { total, states } = status ?? { total: 0, states: {} };
  if (total === 0) return <a href={hrefOf('models')}>No model is deployed</a>;
  const failed = (states.failed ?? 0) + (states.updateFailed ?? 0);
  return (
    <>
      <a href={hrefOf('models', { tab: 'endpoints' })}>{counted(total, 'endpoint')}</a>, {states.running ?? 0} running
      {failed > 0 && `, ${failed} failed`}
    </>
  );
}

function Work() {
  const active = useDashboard((s) => s.jobs.filter(isActive).length);
  return <a href={hrefOf('activity')}>{active === 0 ? 'No jobs' : `${counted(active, 'job')} under way`}</a>;
}

/** Below this, the free space is called little. */
const LITTLE_BYTES = 2e9;

function DiskSpace() {
  const { value: storage } = useAsked(['storage'], (call, signal) => call('getStorage', { signal }));
  const dataDir = useDashboard((s) => s.daemon?.dataDir);
  const disk = storage?.disk;
  return (
    <>
      {storage === null
        ? '…'
        : disk
          ? `${byteText(disk.freeBytes)} of ${byteText(disk.totalBytes)} free${disk.freeBytes < LITTLE_BYTES ? ': little' : ''}`
          : 'Unknown'}
      <span className="muted anywhere"> in {dataDir}</span>
    </>
  );
}
