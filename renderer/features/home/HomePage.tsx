import { PageHeader } from '../../parts/PageHeader.tsx';
import { hrefOf } from '../../parts/route.ts';
import { StateWord } from '../../parts/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { holderOf } from '../apps/apps-slice.ts';
import { LiveRobot } from '../robot/LiveRobot.tsx';
import { robotDetail, robotWords } from '../robot/robot-words.ts';
import { NeedsYou } from './NeedsYou.tsx';
import { NextStepCard } from './NextStepCard.tsx';
import './home-page.css';

export function HomePage() {
  return (
    <>
      <PageHeader title="Home" />
      <div className="home-page">
        <HomeRobot />
        <div className="stack home-side">
          <NextStepCard />
          <NeedsYou />
        </div>
      </div>
    </>
  );
}

function HomeRobot() {
  const robot = useDashboard((s) => s.robot);
  const mover = useDashboard(holderOf);
  const { word, tone } = robotWords(robot?.state ?? 'disconnected');
  return (
    <section className="card home-robot" aria-label="The robot">
      <div className="home-picture">
        <LiveRobot />
      </div>
      <div className="home-robot-words">
        <StateWord tone={tone}>{word}</StateWord>
        <p className="muted small">{robot && robotDetail(robot, mover)}</p>
      </div>
      <p className="small">
        <a href={hrefOf('robot')}>All joints</a>
      </p>
    </section>
  );
}
