import { type Figure, row } from '../../harness/figure.ts';
import { temporaryDataDir } from '../../harness/programs.ts';
import { summary } from '../../harness/samples.ts';
import { bareWindow, openScreen, shownBy, startDashboardWindow, startWindow } from './program.ts';

/** The time from the start of the desktop program to its window, and to a dashboard that can be used. */
export const windowLaunch: Figure = {
  name: 'window-launch',
  measures: `on ${shownBy}: from the spawn of the desktop program on a used data folder to its window, as Playwright reports it, and to the frame with the heading, which waits for the first snapshot`,
  beside: `a program of one window on one page of a heading, also on ${shownBy}`,
  measure: async ({ quick }) => {
    await using screen = await openScreen();
    await using dataDir = await temporaryDataDir();
    const shownMs = { ours: [] as number[], beside: [] as number[] };
    const interactiveMs = { ours: [] as number[], beside: [] as number[] };
    for (let turn = 0; turn <= (quick ? 1 : 8); turn++) {
      for (const whose of ['ours', 'beside'] as const) {
        await using program = await (whose === 'ours'
          ? startDashboardWindow(dataDir.path, screen.env)
          : startWindow([bareWindow], screen.env));
        if (turn === 0) continue; // warms up the caches
        shownMs[whose].push(program.shownAt - program.spawnedAt);
        interactiveMs[whose].push(program.interactiveAt - program.spawnedAt);
      }
    }
    const taken = ({ ours, beside }: typeof shownMs) => ({ ours: summary(ours), beside: summary(beside) });
    return [
      row(`launch to the window (${shownBy})`, 'ms', taken(shownMs)),
      row(`launch to interactive (${shownBy})`, 'ms', taken(interactiveMs)),
    ];
  },
};
