import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton } from '../../parts/actions/buttons.tsx';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { WakeIcon } from '../../parts/icons.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
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

function useNextStep() {
  const slot = useDashboard((s) => s.slot);
  const installed = useDashboard((s) => s.installedApps);
  const samples = useDashboard((s) => s.sampleApps);
  const crashes = useDashboard((s) => s.crashes);
  return useMemo(() => nextStep(slot, installed, samples, crashes), [slot, installed, samples, crashes]);
}

/** Whether nothing is installed yet, and a sample can be tried. */
export const useIsFirstRun = (): boolean => useNextStep().kind === 'install';

/** The run that crashed and that the next step leads to; null: the next step is another one. */
export function useCrashOfStep(): AppRun | null {
  const next = useNextStep();
  return next.kind === 'look-into' ? next.run : null;
}

function AppStep({ primary }: { readonly primary: boolean }) {
  const next = useNextStep();
  switch (next.kind) {
    case 'running':
      return <NowRunning />;
    case 'start':
      return <StartStep app={next.app} primary={primary} />;
    case 'look-into':
      return <CrashStep app={next.app} run={next.run} primary={primary} />;
    case 'install':
      return <FirstRun sample={next.sample} primary={primary} />;
    case 'bring-your-own':
      return <BringYourOwn primary={primary} />;
  }
}

interface StepProps {
  readonly app: InstalledApp;
  readonly primary: boolean;
}

const allApps = <a href={hrefOf('apps')}>All apps</a>;

function StartStep({ app, primary }: StepProps) {
  return (
    <Section title="Start an app" headClass="home-head" beside={allApps}>
      <AppLine app={app} control={<AppControls app={app} primary={primary} startOnly />}>
        <Foreign as="p" className="muted small three-lines" title={app.description}>
          {app.description}
        </Foreign>
      </AppLine>
    </Section>
  );
}

/** Says why an app crashed, and leads to its page, which says what to do before another start. */
function CrashStep({ app, run, primary }: StepProps & { readonly run: AppRun }) {
  const title = useDashboard((s) => titleOf(s, app.name));
  const control = (
    <Button
      component="a"
      variant={primary ? 'filled' : 'default'}
      href={hrefOf('apps', { appName: app.name })}
      aria-label={`See why: ${title}`}
    >
      See why
    </Button>
  );
  return (
    <Section title="Look into a crash" headClass="home-head" beside={allApps}>
      <AppLine app={app} control={control}>
        <p className="muted small">
          {run.diagnosis?.message ?? run.message} <TimeAgo at={run.endedAt} />
        </p>
      </AppLine>
    </Section>
  );
}

interface AppLineProps {
  readonly app: InstalledApp;
  readonly control: ReactNode;
  /** Below its title. */
  readonly children: ReactNode;
}

function AppLine({ app, control, children }: AppLineProps) {
  return (
    <div className="home-app">
      <AppIcon app={app} />
      <div className="home-app-text">
        <h3>
          <ForeignLink href={hrefOf('apps', { appName: app.name })}>{app.title}</ForeignLink>
        </h3>
        {children}
      </div>
      {control}
    </div>
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
