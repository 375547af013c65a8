/**
 * `npm run bench`: measures the product, each figure next to its reference. `node bench/bench.ts stop` measures the named
 * figures only, `--quick` takes few samples, `--json <file>` sets the file of the report, `--beside <folder>` names a built
 * checkout, such as the commit before, which some figures measure in the same run. A missed aim is reported and
 * fails nothing; a figure that cannot be measured fails the run, unless this machine lacks what it needs.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '../scripts/environment/project.ts';
import { freshBuild } from '../scripts/fresh-build.mjs';
import { coldStart } from './figures/cold-start.ts';
import { dashboardLoad } from './figures/dashboard-load.ts';
import { dashboardSize } from './figures/dashboard-size.ts';
import { cacheHits } from './figures/endpoints/cache-hits.ts';
import { containerLatency } from './figures/endpoints/container-latency.ts';
import { endpointLog } from './figures/endpoints/endpoint-log.ts';
import { gatewayFirstByte } from './figures/endpoints/gateway-first-byte.ts';
import { gatewayLatency } from './figures/endpoints/gateway-latency.ts';
import { gatewayStreams } from './figures/endpoints/gateway-streams.ts';
import { inferenceJitter } from './figures/endpoints/inference-jitter.ts';
import { listEndpoints } from './figures/endpoints/list-endpoints.ts';
import { playgroundFirstToken } from './figures/endpoints/playground-first-token.ts';
import { playgroundLongChat } from './figures/endpoints/playground-long-chat.ts';
import { scaleUp } from './figures/endpoints/scale-up.ts';
import { startWithEndpoint } from './figures/endpoints/start-with-endpoint.ts';
import { wakeUp } from './figures/endpoints/wake-up.ts';
import { eventsFanOut } from './figures/events-fan-out.ts';
import { firstRun } from './figures/first-run.ts';
import { flood } from './figures/flood.ts';
import { idle } from './figures/idle.ts';
import { install } from './figures/install.ts';
import { largeStore } from './figures/large-store.ts';
import { listApps } from './figures/list-apps.ts';
import { listCatalog } from './figures/list-catalog.ts';
import { manyApps } from './figures/many-apps.ts';
import { create } from './figures/own-apps/create.ts';
import { ownAppReload } from './figures/own-apps/own-app-reload.ts';
import { quickCheckFigure } from './figures/own-apps/quick-check.ts';
import { controlLoop } from './figures/robot/control-loop.ts';
import { gotoBesideStream } from './figures/robot/goto-beside-stream.ts';
import { kinematics } from './figures/robot/kinematics.ts';
import { recordedMove } from './figures/robot/recorded-move.ts';
import { replug } from './figures/robot/replug.ts';
import { sdkImport } from './figures/robot/sdk-import.ts';
import { sdkSetTarget } from './figures/robot/sdk-set-target.ts';
import { targetToWire } from './figures/robot/target-to-wire.ts';
import { rollback } from './figures/rollback.ts';
import { sdkCamera } from './figures/sdk-camera.ts';
import { selectRecipeFigure } from './figures/select-recipe.ts';
import { start } from './figures/start.ts';
import { stop } from './figures/stop.ts';
import { timeToInteractive } from './figures/time-to-interactive.ts';
import { update } from './figures/update.ts';
import { blockedMain } from './figures/window/blocked-main.ts';
import { windowLaunch } from './figures/window/launch.ts';
import { windowMemory } from './figures/window/memory.ts';
import { daemonProgramOf } from './harness/bench-daemon.ts';
import { cleanUpAll } from './harness/cleanup.ts';
import type { Figure, FigureOptions } from './harness/figure.ts';
import { describeMachine } from './harness/machine.ts';
import type { FigureReport } from './harness/rows.ts';
import { runFigure } from './harness/run-figure.ts';
import { machineLines, table } from './harness/table.ts';

const figures = [
  coldStart,
  start,
  startWithEndpoint,
  stop,
  create,
  ownAppReload,
  install,
  update,
  rollback,
  listApps,
  listCatalog,
  selectRecipeFigure,
  quickCheckFigure,
  listEndpoints,
  gatewayLatency,
  containerLatency,
  gatewayFirstByte,
  gatewayStreams,
  cacheHits,
  playgroundFirstToken,
  playgroundLongChat,
  endpointLog,
  wakeUp,
  scaleUp,
  inferenceJitter,
  sdkImport,
  sdkSetTarget,
  sdkCamera,
  targetToWire,
  recordedMove,
  gotoBesideStream,
  controlLoop,
  replug,
  kinematics,
  eventsFanOut,
  idle,
  dashboardSize,
  dashboardLoad,
  timeToInteractive,
  firstRun,
  windowLaunch,
  windowMemory,
  blockedMain,
  flood,
  largeStore,
  manyApps,
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUpAll().finally(() => process.exit(130)));
}

const wanted = parse(process.argv.slice(2));
if (wanted) await run(wanted);
else process.exitCode = 2;

async function run({ chosen, quick, json, besideDir }: NonNullable<ReturnType<typeof parse>>): Promise<void> {
  if (!freshBuild()) throw new Error('Nothing to measure: the build failed.');
  const machine = await describeMachine();
  console.log(`${machineLines(machine)}\n`);
  const reports: FigureReport[] = [];
  for (const figure of chosen) {
    console.log(`Measuring ${figure.name} …`);
    reports.push(await runFigure(figure, { quick, besideDir }));
  }
  console.log(
    `\n${quick ? 'Quick run: it shows that the figures can be measured, not their values.\n' : ''}${table(reports)}`,
  );
  await mkdir(dirname(json), { recursive: true });
  await writeFile(
    json,
    `${JSON.stringify({ takenAt: new Date().toISOString(), quick, machine, figures: reports }, null, 2)}\n`,
  );
  console.log(`\nReport: ${json}`);
  if (reports.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

interface Wanted extends FigureOptions {
  readonly chosen: readonly Figure[];
  /** The file of the report. */
  readonly json: string;
}

function parse(argv: readonly string[]): Wanted | null {
  const options = {
    json: { type: 'string' },
    beside: { type: 'string' },
    quick: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const unknown = positionals.filter((name) => !figures.some((figure) => figure.name === name));
    if (unknown.length > 0) throw new Error(`There is no figure "${unknown.join('", "')}".`);
    const chosen = positionals.length === 0 ? figures : figures.filter(({ name }) => positionals.includes(name));
    const besideDir = values.beside === undefined ? null : resolve(values.beside);
    if (besideDir !== null && !existsSync(daemonProgramOf(besideDir)))
      throw new Error(`There is no checkout in ${besideDir}.`);
    const json = values.json ?? join(projectDir, 'dist', 'bench.json');
    return { chosen, quick: values.quick, json, besideDir };
  } catch (error) {
    console.error(`${(error as Error).message}\nFigures: ${figures.map(({ name }) => name).join(', ')}`);
    console.error('Options: --quick, --json <file>, --beside <folder>');
    return null;
  }
}
