import { Tabs } from '@mantine/core';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { decimals } from '../../parts/format.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { isDisconnected } from '../../slices/robot/robot-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { JointTable } from './JointTable.tsx';
import { MotorsPanel } from './MotorsPanel.tsx';
import { MovesPanel } from './MovesPanel.tsx';
import { type HeadPose, headPose } from './RobotDrawing.tsx';
import { RobotStage } from './RobotStage.tsx';
import './robot-page.css';

/** Those besides the joints, which come first. */
const tabs = ['moves', 'motors'] as const;

export function RobotPage({ tab }: { readonly tab: string | null }) {
  const robot = useDashboard((s) => s.robot);
  return (
    <>
      <PageHeader title="Robot" />
      <div className="robot-page">
        {robot && <RobotStage robot={robot} />}
        <Tabs
          value={tabs.find((known) => known === tab) ?? 'joints'}
          onChange={(next) => navigate(hrefOf('robot', next === null || next === 'joints' ? {} : { tab: next }))}
          keepMounted={false}
        >
          <Tabs.List aria-label="Robot">
            <Tabs.Tab value="joints">Joints</Tabs.Tab>
            <Tabs.Tab value="moves">Moves</Tabs.Tab>
            <Tabs.Tab value="motors">Motors</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="joints">
            <div className="stack robot-figures">
              <section className="card" aria-label="Joints">
                <JointTable />
              </section>
              <HeadPoseSection />
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="moves">
            <MovesPanel />
          </Tabs.Panel>
          <Tabs.Panel value="motors">
            <MotorsPanel />
          </Tabs.Panel>
        </Tabs>
      </div>
    </>
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
