import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../harness/child.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { residentMb } from '../../harness/linux-process.ts';
import { temporaryDataDir } from '../../harness/programs.ts';
import { summary } from '../../harness/samples.ts';
import { memoryOf, type WindowMemory } from './processes.ts';
import { bareWindow, openScreen, shownBy, startDashboardWindow, startWindow } from './program.ts';

const AIM_GUARDIAN_MB = 45;
const EVERY_MS = 200;
/** A Node that only waits, as the guardian does. */
const waitingNode = ['-e', 'setInterval(() => {}, 1e9); console.log("waits")'];

/** The memory of all processes of the desktop program at rest. */
export const windowMemory: Figure = {
  name: 'window-memory',
  measures: `on ${shownBy}, the dashboard shown, robot awake, 20 s after the start: the main process, with the daemon in it; the browser; the guardian. Each with its share of memory that several use (PSS), the guardian also with all of it (RSS)`,
  beside: `a program of one window on one page of a heading, also on ${shownBy}; beside the guardian a Node that only waits`,
  measure: async ({ quick }) => {
    await using screen = await openScreen();
    await using dataDir = await temporaryDataDir();
    await using program = await startDashboardWindow(dataDir.path, screen.env);
    await using bare = await startWindow([bareWindow], screen.env);
    await using node = startChild(process.execPath, waitingNode);
    await node.line();
    await sleep(quick ? 1_000 : 20_000);
    const ours: WindowMemory[] = [];
    const beside: WindowMemory[] = [];
    for (let turn = 0; turn < (quick ? 2 : 10); turn++) {
      ours.push(await memoryOf(program));
      beside.push({ ...(await memoryOf(bare)), guardianResident: await residentMb(node.process.pid as number) });
      await sleep(EVERY_MS);
    }
    const of = (part: keyof WindowMemory, samples: readonly WindowMemory[]) => summary(samples.map((one) => one[part]));
    const both = (part: keyof WindowMemory) => ({ ours: of(part, ours), beside: of(part, beside) });
    const aim = () => ({ text: `≤ ${AIM_GUARDIAN_MB} MB`, most: AIM_GUARDIAN_MB });
    return [
      row(`window, main, PSS (${shownBy})`, 'MB', both('main')),
      row(`window, browser, PSS (${shownBy})`, 'MB', both('browser')),
      row('window, guardian, PSS', 'MB', { ours: of('guardian', ours), beside: null }),
      row('window, guardian, RSS', 'MB', both('guardianResident'), aim),
    ];
  },
};
