import { createDaemon } from '../create-daemon.ts';
import { type Diagnosis, examine, runnerFor } from '../doctor/examine.ts';
import type { Finding, Mended } from '../doctor/finding.ts';
import { mendFolder } from '../doctor/repair.ts';
import { mendThroughDaemon } from '../doctor/repair-through-daemon.ts';
import { mendedText, reportText } from '../doctor/report.ts';
import { instanceIn, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { commandArguments } from './command-arguments.ts';
import { argumentsFor, parseDaemonArguments } from './daemon-arguments.ts';
import { holderOf } from './holder.ts';
import { projectResources, projectVersion } from './project.ts';
import { reportFailure } from './report-failure.ts';

const help = `Usage: robot-daemon doctor [--fix] [--json] [--data-dir <folder>]

Says what is where in the data folder, how large it is, and what is broken.
  --fix    mends what can be mended; nothing that a user made is lost. What must be installed again is installed, by the
           daemon that runs, else by one that runs for as long as that takes, on a simulated robot. While a daemon runs,
           only that and a return to the version before are done.
  --json   the same for programs
Ends with 0 when nothing is broken, or nothing any more; 1 when something is, 2 for bad arguments.
`;

/** `robot-daemon doctor` */
export async function doctor(argv: readonly string[], projectDir: string): Promise<void> {
  try {
    const given = commandArguments(argv, help, ['fix', 'json']);
    if (!given) return;
    const { paths, switches } = given;
    const before = await diagnose(paths, projectDir);
    const mended = switches.has('fix') ? await mend(before, paths, projectDir) : null;
    // Looked at again: what was done counts by what is there now.
    const now = mended?.length ? await diagnose(paths, projectDir) : before;
    if (switches.has('json'))
      process.stdout.write(`${JSON.stringify({ ...before, mended, left: now.findings }, null, 2)}\n`);
    else process.stdout.write(reportText(before) + (mended ? mendedText(mended) : ''));
    if (now.findings.some(({ severity }) => severity === 'broken')) process.exitCode = 1;
  } catch (error) {
    reportFailure(error);
  }
}

async function diagnose(paths: DataPaths, projectDir: string): Promise<Diagnosis> {
  const holder = await holderOf(paths);
  const options = holder?.instance.options ?? (await instanceIn(paths))?.options;
  return examine({
    paths,
    assetsDir: projectResources(projectDir).assetsDir,
    holder: holder && { ...holder.instance, status: holder.status },
    wantedPython: text(options?.['python']),
    hubUrl: text(options?.['hubUrl']),
  });
}

async function mend({ daemon, findings }: Diagnosis, paths: DataPaths, projectDir: string): Promise<Mended[]> {
  const mendable = findings.filter(({ fix }) => fix.kind !== 'by-hand');
  if (daemon) return daemon.url === null ? [] : mendThroughDaemon(mendable, daemon.url);
  const needsDaemon = ({ fix }: Finding) => fix.kind === 'install-again';
  const lock = await lockDataFolder(paths);
  const [rest, here] = [mendable.filter(needsDaemon), mendable.filter((finding) => !needsDaemon(finding))];
  const deps = { paths, run: runnerFor(paths), now: () => new Date() };
  const done = await mendFolder(here, deps).finally(() => lock.release());
  return rest.length === 0
    ? done
    : [...done, ...(await withDaemon(paths, projectDir, (url) => mendThroughDaemon(rest, url)))];
}

/** Runs a daemon for as long as some work takes. It touches no robot. */
async function withDaemon<T>(paths: DataPaths, projectDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const before = await instanceIn(paths);
  const parsed = parseDaemonArguments(
    argumentsFor({ ...before?.options, dataDir: paths.root, serialPort: null, robot: 'simulation' }),
  );
  if (!parsed) throw new Error('unreachable');
  const daemon = createDaemon({
    ...parsed,
    host: '127.0.0.1',
    port: 0,
    startupApp: null,
    wakeUpOnStart: false,
    logLevel: 'error',
    version: await projectVersion(projectDir),
    resources: projectResources(projectDir),
  });
  await daemon.start();
  try {
    return await work(daemon.url);
  } finally {
    await daemon.stop();
    // So that a restart is still one of the daemon that a person ran.
    if (before) await writeJsonFile(paths.instanceFile, before);
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
