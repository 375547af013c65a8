import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { blockedReason, suggestedCommand } from '../../slices/robot/robot-commands.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AttentionSection } from '../attention/AttentionList.tsx';
import { attentionKeys, useAttention } from '../attention/use-attention.ts';
import { CommandRefusal } from '../robot/CommandButton.tsx';
import { LiveRobot } from '../robot/RobotDrawing.tsx';
import { ConnectHelp, RobotStatus } from '../robot/RobotStatus.tsx';
import { StartupAppLink } from '../robot/StartupAppLink.tsx';
import { WakeOrSleep } from '../robot/WakeOrSleep.tsx';
import { WhatElse } from './FirstRun.tsx';
import { littleSpaceText, littleSpaceTitle } from './home-text.ts';
import { NextStepCard, useCrashOfStep, useIsFirstRun, useRobotFirst } from './NextStepCard.tsx';
import { RunningEndpoints } from './NowRunning.tsx';
import './home-page.css';

/** The robot, the one next step or what runs, and what needs attention where anything does. */
export function HomePage() {
  const isFirstRun = useIsFirstRun();
  return (
    <>
      <PageHeader title="Home" />
      <div className="home-page">
        <HomeRobot />
        <div className="stack home-side">
          <NextStepCard />
          <NeedsAttention />
          <LittleSpace />
          <RunningEndpoints />
          {isFirstRun && <WhatElse />}
        </div>
      </div>
    </>
  );
}

const HINT_ID = 'home-robot-hint';

function HomeRobot() {
  const robot = useDashboard((s) => s.robot);
  // While it wakes or folds, its state says so.
  const reason = useDashboard((s) =>
    s.robot?.state === 'awake' ? blockedReason(suggestedCommand(s.robot), s.robot, holderOf(s)) : null,
  );
  const robotFirst = useRobotFirst();
  const startup = useDashboard((s) => s.startupApp !== null);
  return (
    <section className="card stack" aria-label="The robot">
      <div className="home-picture">
        <LiveRobot />
      </div>
      <div className="home-robot-text">{robot && <RobotStatus robot={robot} withProblem={!robotFirst} />}</div>
      {robot && !robotFirst && (
        <div className="stack tight">
          <div className="row bar">
            <WakeOrSleep robot={robot} {...(reason !== null && { describedBy: HINT_ID })} />
            <a className="small" href={hrefOf('robot')}>
              Controls
            </a>
          </div>
          {reason !== null && (
            <p id={HINT_ID} className="muted small">
              {reason}
            </p>
          )}
          <CommandRefusal commands={['wakeUp', 'sleep']} />
        </div>
      )}
      {startup && (
        <p className="muted small">
          Starts <StartupAppLink /> when it wakes up
        </p>
      )}
      {robot && <ConnectHelp robot={robot} />}
    </section>
  );
}

function NeedsAttention() {
  const all = useAttention();
  const told = useCrashOfStep();
  const attention = { ...all, crashes: all.crashes.filter(({ runId }) => runId !== told?.runId) };
  return attentionKeys(attention).length > 0 && <AttentionSection attention={attention} />;
}

/** Below this, the free space is called little. */
const LITTLE_BYTES = 2e9;

function LittleSpace() {
  const { value: storage } = useAsked(['storage'], (call, signal) => call('getStorage', { signal }));
  const disk = storage?.disk;
  if (!disk || disk.freeBytes >= LITTLE_BYTES) return null;
  return (
    <Note
      tone="busy"
      title={littleSpaceTitle(disk.freeBytes, disk.totalBytes)}
      actions={<a href={hrefOf('models', { tab: 'machine' })}>Model files on this machine</a>}
    >
      <p className="anywhere">{littleSpaceText(storage.dataDir)}</p>
    </Note>
  );
}
