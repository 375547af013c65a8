import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { HeadPoseList } from './HeadPoseList.tsx';
import { JointTable } from './JointTable.tsx';
import { LiveRobot } from './LiveRobot.tsx';
import { RobotStateList } from './RobotStateList.tsx';
import './robot-page.css';

export function RobotPage() {
  const robot = useDashboard((s) => s.robot);
  return (
    <>
      <PageHeader title="Robot" />
      <div className="robot-page">
        <section className="card robot-stage" aria-label="Live view">
          <div className="robot-picture">
            <LiveRobot />
          </div>
          {robot && <RobotStateList robot={robot} />}
        </section>
        <div className="stack robot-figures">
          <section className="card" aria-labelledby="joints-title">
            <h2 id="joints-title">Joints</h2>
            <JointTable />
          </section>
          <section className="card" aria-labelledby="head-title">
            <h2 id="head-title">Head pose</h2>
            <HeadPoseList />
          </section>
        </div>
      </div>
    </>
  );
}
