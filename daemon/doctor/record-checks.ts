import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { TokensFile } from '../access/access-tokens.ts';
import { SessionsFile } from '../access/dashboard-sessions.ts';
import { SignInCodeFile } from '../access/sign-in-codes.ts';
import { TokenUsesFile } from '../access/token-uses.ts';
import { NEEDS_FILE, StoredNeeds } from '../apps/needs/app-needs.ts';
import { RESET_FILE, StoredResets } from '../apps/reset/reset-record.ts';
import { StoredVariables, VARIABLES_FILE } from '../apps/run/app-variables.ts';
import { StartupAppFile } from '../apps/startup-app.ts';
import { StoredContainers } from '../containers/container-register.ts';
import { AppRun } from '../contract/apps/runs.ts';
import { NoticeList } from '../contract/notifications/notifications.ts';
import { InstalledLlamaServer, installedFile } from '../endpoints/llamacpp/llama-server-program.ts';
import { StoredMemory } from '../endpoints/measured-memory/memory-records.ts';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { StoredSpeeds } from '../endpoints/speed-records.ts';
import { StoredCards } from '../graphics-cards/graphics-cards.ts';
import { UnexpectedEnd } from '../guardian/unexpected-end.ts';
import { StoredJobs } from '../jobs/job-store.ts';
import { REPOSITORY_RECORD, RepositoryRecord } from '../model-files/repository-record.ts';
import { StoredMail } from '../notifications/mail/mail-record.ts';
import { StoredOwnApps } from '../own-apps/own-app-list.ts';
import { StoredVolume } from '../robot/sound-volume.ts';
import { Instance } from '../shared/data-folder/data-folder-lock.ts';
import { targetOfDraft } from '../shared/files/atomic-file.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { LeadersFile } from '../shared/processes/leader-register.ts';
import { broken, byHand, type CheckContext, type Finding, note, untidy } from './check.ts';
import { readAppFolders } from './inventory.ts';

/** The draft of a key that was cut short by a kill; see key-file-secret-store.ts. */
const KEY_DRAFT = /[/\\]secret-key\.[\da-f]{8}-[-\da-f]{27}$/;
/** Records, of which a kill may leave a draft. */
const RECORD = /(?:\.jsonl?|[/\\]access-token)$/;

/**
 * Checks that each record of the data folder can be read, and finds half-written files. app-checks.ts has the pointers of
 * apps.
 */
export async function checkRecords({ paths, heldSince }: CheckContext): Promise<Finding[]> {
  const ofRoot: Readonly<Record<string, z.ZodType>> = {
    [paths.jobsFile]: StoredJobs,
    [paths.runsFile]: z.object({ runs: z.array(AppRun) }),
    [paths.ownAppsFile]: StoredOwnApps,
    [paths.startupAppFile]: StartupAppFile,
    [paths.soundVolumeFile]: StoredVolume,
    [paths.instanceFile]: Instance,
    [paths.leadersFile]: LeadersFile,
    [paths.tokensFile]: TokensFile,
    [paths.tokenUsesFile]: TokenUsesFile,
    [paths.sessionsFile]: SessionsFile,
    [paths.notificationsFile]: NoticeList,
    [paths.containersFile]: StoredContainers,
    [paths.measuredMemoryFile]: StoredMemory,
    [paths.measuredSpeedFile]: StoredSpeeds,
    [paths.graphicsCardsFile]: StoredCards,
    [paths.mailFile]: StoredMail,
    [paths.unexpectedEndFile]: UnexpectedEnd,
    [paths.signInCodeFile]: SignInCodeFile,
  };
  const [root, endpoints, apps, models] = await Promise.all([
    filesIn(paths.root),
    filesIn(paths.endpoints),
    filesIn(paths.apps),
    filesIn(paths.models),
  ]);
  const isJson = (path: string) => path.endsWith('.json');
  const findings = [
    ...(await damagedOf(root.filter(isJson), (path) => ofRoot[path] ?? z.unknown())),
    ...(await damagedOf(endpoints.filter(isJson), () => EndpointRecord)),
    ...(await damagedOf(within(apps, VARIABLES_FILE), () => StoredVariables)),
    ...(await damagedOf(within(apps, NEEDS_FILE), () => StoredNeeds)),
    ...(await damagedOf(within(apps, RESET_FILE), () => StoredResets)),
    ...(await damagedOf(within(models, REPOSITORY_RECORD), () => RepositoryRecord)),
    ...(await damagedOf([installedFile(paths.runtimes)], () => InstalledLlamaServer)),
  ];
  const nested = await Promise.all([...apps, ...models].map(filesIn));
  const all = [...root, ...endpoints, ...(await filesIn(paths.runtimes)), ...nested.flat()];
  const drafts = all.filter((path) => KEY_DRAFT.test(path) || RECORD.test(targetOfDraft(path) ?? ''));
  const half = await leftBefore(drafts, heldSince);
  if (half.length > 0) {
    const what = `${half.length} half-written file(s) of a killed daemon.`;
    findings.push(untidy('half-written', what, paths.root, { kind: 'remove', paths: half }));
  }
  return [...findings, ...(await missingStartupApp(paths))];
}

/** A finding for each file that is there and does not match its schema. */
async function damagedOf(files: readonly string[], schemaOf: (path: string) => z.ZodType): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of files) {
    const damage = await readJsonFile(path, schemaOf(path)).then(
      () => null,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOTDIR' ? null : error.message), // its folder is the problem
    );
    if (damage === null) continue;
    const what = `The file is damaged (${(damage.split('\n')[0] ?? '').slice(0, 200)}).`;
    findings.push(broken('record-damaged', what, path, { kind: 'set-aside', path }));
  }
  return findings;
}

/** Of drafts those that were there before the daemon began, which is writing the others. @param since null: all */
async function leftBefore(drafts: readonly string[], since: string | null): Promise<readonly string[]> {
  if (since === null) return drafts;
  const times = await Promise.all(drafts.map((path) => stat(path).catch(() => null))); // null: it is finished
  return drafts.filter((_, index) => (times[index]?.mtimeMs ?? Number.POSITIVE_INFINITY) < Date.parse(since));
}

const within = (folders: readonly string[], file: string) => folders.map((folder) => join(folder, file));

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

async function missingStartupApp({ startupAppFile, apps }: CheckContext['paths']): Promise<Finding[]> {
  const chosen = (await readJsonFile(startupAppFile, StartupAppFile).catch(() => null))?.startupApp;
  if (!chosen) return [];
  const folders = await readAppFolders(apps);
  if (folders.some(({ pointer }) => pointer?.app.name === chosen)) return [];
  const fix = byHand('Install it, or choose another startup app.');
  return [note('startup-app-missing', `The startup app, ${chosen}, is not installed.`, startupAppFile, fix)];
}
