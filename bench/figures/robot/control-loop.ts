import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asCatalogFile, generatedCatalog } from '../../../daemon/testing/models/generated-catalog.ts';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { EventReader } from '../../harness/event-reader.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { keepAliveClient } from '../../harness/keep-alive-client.ts';
import { temporaryDataDir } from '../../harness/programs.ts';
import { connectRobotProgram } from '../../harness/robot-program.ts';
import type { Summary } from '../../harness/samples.ts';
import { bareJitter, recordJitter } from './loop-jitter.ts';

const STREAM_MS = 10;
const AIM_P99_MS = 2;
const MODELS = 10_000;
/** The first two match nothing, so they search every text; the third counts all its matches. */
const searches = [
  '/api/v1/catalog/list?limit=50&search=none-has-this',
  '/api/v1/catalog/list?limit=50&search=aurora-9.9',
  '/api/models?page=1&search=gguf',
];
/** The number of concurrent searches. */
const SEARCHERS = 2;
const aim = () => ({ text: `p99 ≤ ${AIM_P99_MS} ms`, mostAtP99: AIM_P99_MS });

/** The jitter of the control loop. */
export const controlLoop: Figure = {
  name: 'control-loop',
  measures: `the deviation from 20 ms between two cycles, by the start times in the states that one program receives; loaded: it streams targets 100 times a second, and a dashboard is connected; searched: ${SEARCHERS} clients search ${MODELS} models without a pause`,
  beside: 'a process that runs the same loop without work',
  measure: async ({ quick }) => {
    const forMs = quick ? 1_000 : 20_000;
    const bare = await bareJitter(forMs);
    const rows = [];
    for (const robot of ['simulation', 'emulator'] as const) {
      const { alone, loaded } = await jitterOn(robot, forMs);
      rows.push(row(`loop jitter, ${robot}`, 'ms', { ours: alone, beside: bare }, aim));
      rows.push(row(`loop jitter, ${robot}, loaded`, 'ms', { ours: loaded, beside: bare }, aim));
    }
    rows.push(
      row('loop jitter, simulation, searched', 'ms', { ours: await searchedJitter(quick, forMs), beside: bare }, aim),
    );
    return rows;
  },
};

async function searchedJitter(quick: boolean, forMs: number): Promise<Summary> {
  await using folder = await temporaryDataDir();
  const file = join(folder.path, 'catalog.json');
  await writeFile(file, asCatalogFile(generatedCatalog(quick ? 1_000 : MODELS)));
  await using daemon = await startBenchDaemon(['--catalog', file]);
  using client = keepAliveClient();
  for (const path of searches) await client.get(daemon.url + path); // loads the catalog
  await using program = await connectRobotProgram(daemon.url, 'bench');
  const recording = recordJitter(program, forMs);
  let isOver = false;
  const over = recording.finally(() => {
    isOver = true;
  });
  const searchRepeatedly = async () => {
    for (let next = 0; !isOver; next++) await client.get(daemon.url + searches[next % searches.length]);
  };
  await Promise.all([over, ...Array.from({ length: SEARCHERS }, searchRepeatedly)]);
  return recording;
}

async function jitterOn(robot: 'simulation' | 'emulator', forMs: number): Promise<{ alone: Summary; loaded: Summary }> {
  await using daemon = await startBenchDaemon(robot === 'emulator' ? ['--emulator'] : []);
  await using program = await connectRobotProgram(daemon.url, 'bench');
  const alone = await recordJitter(program, forMs);
  await using _dashboard = await EventReader.open(daemon.url);
  let step = 0;
  const stream = setInterval(() => {
    const sway = Math.sin((step++ * STREAM_MS * 2 * Math.PI) / 2_000);
    program.send({ type: 'set_target', antennas: [sway / 2, -sway / 2], bodyYaw: sway / 3 });
  }, STREAM_MS);
  try {
    return { alone, loaded: await recordJitter(program, forMs) };
  } finally {
    clearInterval(stream);
  }
}
