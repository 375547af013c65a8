import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { WakeIcon } from '../../parts/icons.tsx';
import { Section } from '../../parts/Section.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton, CommandRefusal } from '../robot/CommandButton.tsx';
import { RobotProblem } from '../robot/RobotStatus.tsx';
import { needsHelp } from '../robot/robot-text.ts';
import { AppControls } from '../run/AppControls.tsx';
import { FirstRun } from './FirstRun.tsx';
import { bringYourOwnText } from './home-text.ts';
import { NowRunning } from './NowRunning.tsx';
import { nextStep } from './next-step.ts';
import '../app-card/app-card.css';

/** Whether the robot's problem is the next step: it is, unless an app runs. */
export const useRobotFirst = (): boolean =>
  useDashboard(({ robot, slot }) => robot !== null && needsHelp(robot) && slot.state === 'free');

/** The page's one primary action; if that is the robot's problem, the apps follow. */
export function NextStepCard() {
  const robot = useDashboard((s) => s.robot);
  const robotFirst = useRobotFirst();
  return (
    <>
      {robotFirst && robot && <RobotFirst robot={robot} />}
      <AppStep primary={!robotFirst} />
    </>
  );
}

function AppStep({ primary }: { readonly primary: boolean }) {
  const slot = useDashboard((s) => s.slot);
  const installed = useDashboard((s) => s.installedApps);
  const samples = useDashboard((s) => s.sampleApps);
  const crashes = useDashboard((s) => s.crashes);
  const next = useMemo(() => {
    const crashed = crashes.filter(({ seen }) => !seen).map(({ run }) => run.appName);
    return nextStep(slot, installed, samples, crashed);
  }, [slot, installed, samples, crashes]);
  switch (next.kind) {
    case 'running':
      return <NowRunning />;
    case 'start':
      return <SuggestedApps apps={next.apps} primary={primary} />;
    case 'install':
      return <FirstRun sample={next.sample} primary={primary} />;
    case 'bring-your-own':
      return <BringYourOwn primary={primary} />;
  }
}

function SuggestedApps({ apps, primary }: { readonly apps: readonly InstalledApp[]; readonly primary: boolean }) {
  return (
    <Section title="Start an app" headClass="home-head" beside={<a href={hrefOf('apps')}>All apps</a>}>
      <ul className="stack home-apps">
        {apps.map((app, index) => (
          <li key={app.name} className="home-app">
            <AppIcon app={app} />
            <div className="home-app-text">
              <h3>
                <ForeignLink href={hrefOf('apps', { appName: app.name })}>{app.title}</ForeignLink>
              </h3>
              <Foreign as="p" className="muted small">
                {app.description}
              </Foreign>
            </div>
            <AppControls app={app} primary={primary && index === 0} startOnly />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function BringYourOwn({ primary }: { readonly primary: boolean }) {
  return (
    <Section title="Install your first app">
      <p className="muted">{bringYourOwnText}</p>
      <div className="row">
        <Button component="a" variant={primary ? 'filled' : 'default'} href={hrefOf('apps')}>
          Go to Apps
        </Button>
        <LinkButton size="sm" href={hrefOf('apps', { tab: 'create' })}>
          Create your own
        </LinkButton>
      </div>
    </Section>
  );
}

/** The next step while the robot cannot be used: no app can move it before. Shows the cause, what to do, and Wake up. */
function RobotFirst({ robot }: { readonly robot: RobotState }) {
  return (
    <Section title="Get the robot ready" headClass="home-head" beside={<a href={hrefOf('robot')}>See the robot</a>}>
      <RobotProblem robot={robot} />
      {robot.connected && (
        <div>
          <CommandButton command="wakeUp" icon={<WakeIcon size={16} />} primary>
            Wake up
          </CommandButton>
        </div>
      )}
      <CommandRefusal commands={['wakeUp']} />
    </Section>
  );
}
