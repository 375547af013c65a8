import type { DaemonClient } from '../client/calls.ts';
import { daemonAt } from '../client/node/daemon-at.ts';
import type { AppSlotState } from '../contract/apps/app-slot.ts';
import type { AppRun } from '../contract/apps/runs.ts';
import type { GraphicsCards } from '../contract/compute/graphics-cards.ts';
import type { DaemonStatus, SecretKeeping } from '../contract/daemon.ts';
import type { Job } from '../contract/jobs.ts';
import { problemText } from '../contract/robot/problem-text.ts';
import type { RobotState } from '../contract/robot/robot.ts';
import { systemNow } from '../shared/clock.ts';
import type { StorageProblem } from '../shared/data-folder/storage-watch.ts';
import { displayText, visibleText } from '../shared/display-text.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { exitCodes } from './shared/errors.ts';
import { cardsLine } from './shared/graphics-card-text.ts';
import { type Holder, holderOf } from './shared/holder.ts';
import { type JsonOption, printResult } from './shared/print.ts';

const ANSWER_WITHIN_MS = 3_000;

/** The state of the daemon on a data folder, for programs; null in it: it does not answer that question. */
interface StatusReport {
  /** `silent`: it is starting, or it hangs. */
  readonly state: 'running' | 'silent' | 'none';
  readonly dataDir: string;
  readonly pid: number | null;
  readonly url: string | null;
  readonly daemon: DaemonStatus | null;
  readonly robot: RobotState | null;
  readonly app: AppSlotState | null;
  readonly jobs: readonly Job[] | null;
  readonly graphicsCards: GraphicsCards | null;
}

/** `robot-daemon status` */
export async function status(paths: DataPaths, options: JsonOption): Promise<void> {
  const holder = await holderOf(paths);
  const report = await reportOf(holder, paths.root);
  printResult(options, report, holder ? describe(holder, report) : `No robot daemon runs on ${paths.root}.\n`);
  if (!holder) process.exitCode = exitCodes.noDaemon;
  else if (!holder.daemon) process.exitCode = exitCodes.failed;
}

async function reportOf(holder: Holder | null, dataDir: string): Promise<StatusReport> {
  const { url, token, status: daemon } = holder?.daemon ?? { url: null, token: undefined, status: null };
  const state = holder === null ? 'none' : daemon === null ? 'silent' : 'running';
  const answers = url === null ? noAnswers : await answersOf(daemonAt(url, { deadlineMs: ANSWER_WITHIN_MS, token }));
  return { state, dataDir, pid: holder?.instance.pid ?? null, url, daemon, ...answers };
}

type Answers = Pick<StatusReport, 'robot' | 'app' | 'jobs' | 'graphicsCards'>;
const noAnswers: Answers = { robot: null, app: null, jobs: null, graphicsCards: null };

async function answersOf(client: DaemonClient): Promise<Answers> {
  const [app, report, jobs, graphicsCards] = await Promise.all([
    client.call('getAppSlot').catch(() => null),
    client.call('getRobot').catch(() => null),
    client.call('listJobs').catch(() => null),
    // To measure them takes seconds.
    client.call('listGraphicsCards', { query: { measure: false } }).catch(() => null),
  ]);
  return { app, robot: report?.robot ?? null, jobs, graphicsCards };
}

function describe(
  { instance }: Holder,
  { dataDir, url, daemon, robot, app, jobs, graphicsCards }: StatusReport,
): string {
  const where = instance.desktop ? ', in the window of Robot Desktop' : '';
  if (daemon === null) {
    return `The robot daemon on ${dataDir} (process ${instance.pid}${where}) does not answer: it is starting, or it hangs.
If it still does not answer in a minute: robot-daemon restart\n`;
  }
  const { python } = daemon;
  const activeJobs = jobs?.filter((job) => job.endedAt === null).map((job) => `${job.kind} ${job.subject}`);
  const rows = {
    process: `${daemon.pid}${where}, for ${duration(systemNow().getTime() - Date.parse(daemon.startedAt))}`,
    'data folder': daemon.dataDir,
    Python: python.state === 'ready' ? `${python.version}, installer ${python.installer}` : python.state,
    ...(daemon.secrets && { secrets: secretsText(daemon.secrets) }),
    robot: robot ? robotText(robot) : 'no answer',
    app: app ? slotText(app) : 'no answer',
    jobs: activeJobs ? activeJobs.join(', ') || 'none' : 'no answer',
    graphics: graphicsCards ? cardsLine(graphicsCards) : 'no answer',
  };
  const lines = Object.entries(rows).map(([name, text]) => `  ${name.padEnd(12)} ${visibleText(text)}\n`);
  const problem = daemon.storageProblem ? `  ${visibleText(storageText(daemon.storageProblem))}\n` : '';
  return `Robot daemon ${daemon.version} is at ${url}/\n${lines.join('')}${problem}`;
}

function secretsText(secrets: SecretKeeping): string {
  if (secrets.kept === 'keychain') return "encrypted by the system's keychain";
  return `encrypted with the key in ${secrets.file}. ${secrets.reason} ${secrets.action}`;
}

const simulationText = {
  chosen: '',
  'no-robot': ' (no robot found)',
  'robot-waiting': ' (the robot takes over when no app runs)',
};

function robotText(robot: RobotState): string {
  const { backend, simulation, state } = robot;
  const problem = problemText(robot);
  return `${backend}${simulation === null ? '' : simulationText[simulation]}, ${state}${problem === null ? '' : `: ${problem}`}`;
}

function slotText(slot: AppSlotState): string {
  if (slot.state === 'free') return slot.lastRun?.outcome === 'crashed' ? `none, ${crashText(slot.lastRun)}` : 'none';
  const { holder } = slot;
  return `${holder.kind === 'managed-app' ? holder.appName : `${holder.name} (not started by the daemon)`}, ${slot.state}`;
}

function crashText({ appName, message, diagnosis }: AppRun): string {
  return displayText(`${appName} crashed: ${message}${diagnosis ? ` ${diagnosis.action}` : ''}`, 600);
}

/** A duration for a person, `2 h 14 min`. */
function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : minutes > 0 ? `${minutes} min` : 'less than a minute';
}

/** Says that the daemon can save nothing, for a terminal. */
export function storageText({ reason, action }: StorageProblem): string {
  return `Nothing can be saved, and no app can start: ${reason} ${action}`;
}
