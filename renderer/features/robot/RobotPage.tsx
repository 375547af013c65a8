import { hrefOf } from '../../navigation/route.ts';
import { decimals } from '../../parts/format.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { isDisconnected } from '../../slices/robot/robot-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { JointTable } from './JointTable.tsx';
import { MotorsPanel } from './MotorsPanel.tsx';
import { MovesPanel } from './MovesPanel.tsx';
import { type HeadPose, headPose } from './RobotDrawing.tsx';
import { RobotStage } from './RobotStage.tsx';
import './robot-page.css';

/** The robot with its controls, its moves, and what its joints and motors do. */
export function RobotPage({ tab }: { readonly tab: string | null }) {
  const robot = useDashboard((s) => s.robot);
  return (
    <>
      <PageHeader title="Robot" />
      <div className="robot-page">
        {robot && <RobotStage robot={robot} />}
        <PageTabs
          label="Robot"
          // Earlier addresses name the joints or the motors.
          shown={tab === null || tab === 'moves' ? 'moves' : 'diagnostics'}
          hrefOf={(next) => hrefOf('robot', next === 'moves' ? {} : { tab: next })}
          tabs={{
            moves: { title: 'Moves', content: <MovesPanel /> },
            diagnostics: { title: 'Diagnostics', content: <Diagnostics /> },
          }}
        />
      </div>
    </>
  );
}

function Diagnostics() {
  return (
    <div className="stack">
      <section className="card" aria-labelledby="joints-title">
        <h2 id="joints-title">Joints</h2>
        <JointTable />
      </section>
      <HeadPoseSection />
      <MotorsPanel />
    </div>
  );
}

const poseParts: readonly { readonly key: keyof HeadPose; readonly name: string; readonly unit: string }[] = [
  { key: 'roll', name: 'Roll', unit: '°' },
  { key: 'pitch', name: 'Pitch', unit: '°' },
  { key: 'yaw', name: 'Yaw', unit: '°' },
  { key: 'x', name: 'X', unit: ' mm' },
  { key: 'y', name: 'Y', unit: ' mm' },
  { key: 'z', name: 'Z', unit: ' mm' },
];

/** Shows the head's pose relative to its neutral pose. */
function HeadPoseSection() {
  const disconnected = useDashboard(isDisconnected);
  const matrix = useDashboard((s) => s.pose?.head);
  const head = matrix && headPose(matrix);
  return (
    <section className={disconnected ? 'card muted' : 'card'} aria-labelledby="head-title">
      <h2 id="head-title">{disconnected ? 'Head pose, last seen' : 'Head pose'}</h2>
      <dl className="head-pose">
        {poseParts.map(({ key, name, unit }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd className="mono">{head ? `${decimals(head[key])}${unit}` : '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
