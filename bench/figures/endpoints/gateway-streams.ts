import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { startChild } from '../../harness/child.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { requireProc, residentMb } from '../../harness/linux-process.ts';
import { benchProgram } from '../../harness/programs.ts';
import { summary } from '../../harness/samples.ts';
import { startGatewayBench } from './gateway-bench.ts';

const STREAMS = 1_000;
const AIM_SHARE = 0.97;
const AIM_MEMORY_MB = 20;

const Reading = z.object({ tokensPerSecond: z.number(), beginS: z.number(), ended: z.literal(0) });

/** Many streamed answers at a time, and the memory that they leave behind. */
export const gatewayStreams: Figure = {
  name: 'gateway-streams',
  measures: `${STREAMS} streams at a time through the gateway of the daemon, 100 tokens a second each, read by a program of its own; the daemon's memory after one stream, during, 40 s after, and 40 s after a second time`,
  beside: 'the same model server without the gateway, read before and after by the same program',
  measure: async ({ quick }) => {
    requireProc();
    const [streams, seconds, settleMs] = quick ? [20, 1, 500] : [STREAMS, 10, 40_000];
    await using bench = await startGatewayBench();
    const memory = () => residentMb(bench.daemonPid);
    await readStreams(bench.gatewayUrl, 1, 1); // loads what is loaded on first use
    await sleep(settleMs);
    const beforeMb = await memory();
    const direct = [await readStreams(bench.directUrl, streams, seconds)];
    const { during, reading } = await watched(memory, readStreams(bench.gatewayUrl, streams, seconds));
    direct.push(await readStreams(bench.directUrl, streams, seconds));
    await sleep(settleMs);
    const afterMb = await memory();
    await readStreams(bench.gatewayUrl, streams, seconds);
    await sleep(settleMs);
    const perStream = (readings: readonly z.infer<typeof Reading>[]) =>
      summary(readings.map(({ tokensPerSecond }) => tokensPerSecond / streams));
    const beside = perStream(direct);
    const rate = row('gateway-streams, tokens a second of each', '1/s', { ours: perStream([reading]), beside });
    const enough = rate.ours.median >= AIM_SHARE * beside.median;
    const more = (label: string, mb: number) =>
      row(`gateway-streams, memory ${label}`, 'MB', { ours: summary([Math.max(0, mb)]), beside: null }, () => null);
    const aim = { text: `≤ ${AIM_MEMORY_MB} MB`, most: AIM_MEMORY_MB };
    const left = more('40 s after, above before', afterMb - beforeMb);
    return [
      { ...rate, aim: { text: `≥ ${AIM_SHARE} × direct` }, met: enough },
      row('gateway-streams, until all have begun', 's', {
        ours: summary([reading.beginS]),
        beside: summary(direct.map(({ beginS }) => beginS)),
      }),
      more('during, above before', Math.max(...during) - beforeMb),
      { ...left, aim, met: left.ours.median <= AIM_MEMORY_MB },
      more('after a second time, above the first', (await memory()) - afterMb),
    ];
  },
};

async function readStreams(url: string, streams: number, seconds: number): Promise<z.infer<typeof Reading>> {
  await using reader = startChild(process.execPath, [
    benchProgram('read-streams.ts'),
    ...[`${url}/stream`, `${streams}`, `${seconds}`],
  ]);
  return Reading.parse(JSON.parse(await reader.line()));
}

/** Samples the memory while a reading lasts. */
async function watched(memory: () => Promise<number>, reading: ReturnType<typeof readStreams>) {
  const during: number[] = [];
  const timer = setInterval(() => void memory().then((mb) => during.push(mb)), 500);
  try {
    return { reading: await reading, during };
  } finally {
    clearInterval(timer);
  }
}
