import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { TokensFile } from '../access/access-tokens.ts';
import { SessionsFile } from '../access/session-records.ts';
import { SignInCodeFile } from '../access/sign-in-codes.ts';
import { StartupAppFile } from '../apps/startup-app.ts';
import { StoredContainers } from '../containers/container-register.ts';
import { AppRun } from '../contract/apps/runs.ts';
import { NoticeList } from '../contract/notifications/notifications.ts';
import { StoredMemory } from '../endpoints/measured-memory/memory-records.ts';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { UnexpectedEnd } from '../guardian/unexpected-end.ts';
import { StoredJobs } from '../jobs/job-store.ts';
import { StoredMail } from '../notifications/mail/mail-record.ts';
import { StoredOwnApps } from '../own-apps/own-app-list.ts';
import { StoredVolume } from '../robot/sound-volume.ts';
import { Instance } from '../shared/data-folder/data-folder-lock.ts';
import { targetOfDraft } from '../shared/files/atomic-file.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { LeadersFile, leadersFile } from '../shared/processes/leader-register.ts';
import { readAppFolders } from './app-folders.ts';
import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';

/** The draft of a key that was cut short by a kill; see key-file-secret-store.ts. */
const KEY_DRAFT = /[/\\]secret-key\.[\da-f]{8}-[-\da-f]{27}$/;
/** Records, of which a kill may leave a draft. */
const RECORD = /(?:\.jsonl?|[/\\]access-token)$/;

/** Checks that each record of the data folder can be read, and finds half-written files. */
export async function checkRecords({ paths }: CheckContext): Promise<Finding[]> {
  const schemas: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    [paths.jobsFile]: (path) => readJsonFile(path, StoredJobs),
    [paths.runsFile]: (path) => readJsonFile(path, z.object({ runs: z.array(AppRun) })),
    [paths.ownAppsFile]: (path) => readJsonFile(path, StoredOwnApps),
    [paths.startupAppFile]: (path) => readJsonFile(path, StartupAppFile),
    [paths.soundVolumeFile]: (path) => readJsonFile(path, StoredVolume),
    [paths.instanceFile]: (path) => readJsonFile(path, Instance),
    [leadersFile(paths)]: (path) => readJsonFile(path, LeadersFile),
    [paths.tokensFile]: (path) => readJsonFile(path, TokensFile),
    [paths.sessionsFile]: (path) => readJsonFile(path, SessionsFile),
    [paths.notificationsFile]: (path) => readJsonFile(path, NoticeList),
    [paths.containersFile]: (path) => readJsonFile(path, StoredContainers),
    [paths.measuredMemoryFile]: (path) => readJsonFile(path, StoredMemory),
    [paths.mailFile]: (path) => readJsonFile(path, StoredMail),
    [paths.unexpectedEndFile]: (path) => readJsonFile(path, UnexpectedEnd),
    [paths.signInCodeFile]: (path) => readJsonFile(path, SignInCodeFile),
  };
  const files = [...(await filesIn(paths.root)), ...(await filesIn(paths.endpoints))];
  const findings: Finding[] = [];
  for (const path of files.filter((name) => name.endsWith('.json'))) {
    const isEndpoint = dirname(path) === paths.endpoints;
    const read = isEndpoint ? readEndpoint : (schemas[path] ?? ((file) => readJsonFile(file, z.unknown())));
    const damage = await read(path).then(
      () => null,
      (error: Error) => error.message,
    );
    if (damage === null) continue;
    findings.push(damagedRecord(path, damage));
  }
  const nested = await Promise.all([paths.apps, paths.models].map(filesBelow));
  const all = [...files, ...(await filesIn(paths.runtimes)), ...nested.flat()];
  const half = all.filter((path) => KEY_DRAFT.test(path) || RECORD.test(targetOfDraft(path) ?? ''));
  if (half.length > 0) {
    findings.push({
      code: 'half-written',
      severity: 'untidy',
      what: `${half.length} half-written file(s) of a killed daemon.`,
      where: paths.root,
      fix: { kind: 'remove', paths: half },
    });
  }
  return [...findings, ...(await missingStartupApp(paths))];
}

/** The finding for a record that cannot be read. @param damage the error's message, of which the first line is shown */
export function damagedRecord(path: string, damage: string): Finding {
  const what = `The file is damaged (${(damage.split('\n')[0] ?? '').slice(0, 200)}).`;
  return { code: 'record-damaged', severity: 'broken', what, where: path, fix: { kind: 'set-aside', path } };
}

const readEndpoint = (path: string) => readJsonFile(path, EndpointRecord);

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** The paths in each folder of a folder. */
async function filesBelow(folder: string): Promise<string[]> {
  return (await Promise.all((await filesIn(folder)).map(filesIn))).flat();
}

async function missingStartupApp({ startupAppFile, apps }: CheckContext['paths']): Promise<Finding[]> {
  const chosen = (await readJsonFile(startupAppFile, StartupAppFile).catch(() => null))?.startupApp;
  if (!chosen) return [];
  const folders = await readAppFolders(apps);
  if (folders.some(({ pointer }) => pointer?.app.name === chosen)) return [];
  return [
    {
      code: 'startup-app-missing',
      severity: 'note',
      what: `The startup app, ${chosen}, is not installed.`,
      where: startupAppFile,
      fix: { kind: 'by-hand', how: 'Install it, or choose another startup app.' },
    },
  ];
}
