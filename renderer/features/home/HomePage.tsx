import { hrefOf } from '../../navigation/route.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { LiveRobot } from '../robot/RobotDrawing.tsx';
import { RobotStatus } from '../robot/RobotStatus.tsx';
import { StartupAppLink } from '../robot/StartupAppLink.tsx';
import { AtAGlance } from './AtAGlance.tsx';
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
