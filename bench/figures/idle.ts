import { setTimeout as sleep } from 'node:timers/promises';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { robotAwake } from '../harness/bench-daemon.ts';
import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { cpuMs, requireProc, residentMb } from '../harness/linux-process.ts';
import { bareExpress, daemonProgram, startAndWait, temporaryDataDir } from '../harness/programs.ts';
import { summary } from '../harness/samples.ts';

const AIM_EMULATOR_PERCENT = 5;
const AIM_MEMORY_TIMES_BARE = 1.25;

/** The daemon's memory and CPU use at rest. All processes run and are measured at the same time. */
export const idle: Figure = {
  name: 'idle',
  measures:
    'the daemon alone, robot awake, no client: memory 20 s after the wake-up, then CPU time over 6 windows of 5 s; the same with nine emulated servos, which it runs too, awake and then asleep, with the simulated robot, awake, as the reference',
  beside: 'a bare Express server of one page, idle',
  measure: async ({ quick }) => {
    requireProc();
    const { settleMs, windowMs, windows } = quick
      ? { settleMs: 2_000, windowMs: 1_000, windows: 3 }
      : { settleMs: 20_000, windowMs: 5_000, windows: 6 };
    await using dataDir = await temporaryDataDir();
    await using emulatorDataDir = await temporaryDataDir();
    const program = await daemonProgram(dataDir.path);
    const onEmulator = await daemonProgram(emulatorDataDir.path, '--emulator');
    await using daemon = await startAndWait(program);
    await using emulator = await startAndWait(onEmulator);
    await using bare = await startAndWait(await bareExpress());
    const pids = [daemon, bare, emulator].map((child) => child.process.pid as number);
    await Promise.all([program, onEmulator].map(({ url }) => robotAwake(daemonAt(url))));
    await sleep(settleMs);
    const memoryMb = await Promise.all(pids.map(residentMb));
    const percents: number[][] = [];
    for (let window = 0; window < windows; window++) percents.push(await cpuPercents(pids, windowMs));
    await daemonAt(onEmulator.url).call('putRobotToSleep');
    const asleep: number[][] = [];
    for (let window = 0; window < windows; window++) asleep.push(await cpuPercents(pids, windowMs));
    const aim = () => ({ text: `≤ ${AIM_EMULATOR_PERCENT} %`, most: AIM_EMULATOR_PERCENT });
    const of = (index: 0 | 1 | 2, samples: readonly (readonly number[])[]) =>
      summary(samples.map((s) => s[index] ?? 0));
    const memory = { ours: of(0, [memoryMb]), beside: of(1, [memoryMb]) };
    const memoryAim = {
      text: `≤ ${AIM_MEMORY_TIMES_BARE} × bare`,
      most: AIM_MEMORY_TIMES_BARE * memory.beside.median,
    };
    return [
      row('idle, memory (RSS)', 'MB', memory, () => memoryAim),
      row('idle, CPU of one core', '%', { ours: of(0, percents), beside: of(1, percents) }),
      row('idle, CPU, emulated, awake', '%', { ours: of(2, percents), beside: of(0, percents) }, aim),
      row('idle, CPU, emulated, asleep', '%', { ours: of(2, asleep), beside: of(0, asleep) }, aim),
    ];
  },
};

async function cpuPercents(pids: readonly number[], windowMs: number): Promise<number[]> {
  const [startMs, before] = [monotonicMs(), await Promise.all(pids.map(cpuMs))];
  await sleep(windowMs);
  const [tookMs, after] = [monotonicMs() - startMs, await Promise.all(pids.map(cpuMs))];
  return after.map((ms, index) => ((ms - (before[index] ?? 0)) / tookMs) * 100);
}
