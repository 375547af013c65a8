import type { CheckDeps, WorkProgress } from '../../assistant/check/check-deps.ts';
import { fixFindings, quickCheck } from '../../assistant/check/check-own-app.ts';
import { NoHubToken, NotPublishable } from '../../assistant/errors.ts';
import { hubTokenForAssistant } from '../../assistant/publish/hub-token-for-assistant.ts';
import { localFiles } from '../../assistant/publish/plan-publication.ts';
import {
  type Publication,
  type PublishDeps,
  previewPublication,
  publishApp,
  publishSteps,
} from '../../assistant/publish/publish-app.ts';
import type { PublicationPreview, PublishRequest } from '../../contract/apps/own-apps.ts';
import { HubClient } from '../../hub/hub-client.ts';
import { systemClock } from '../../shared/clock.ts';
import { instanceIn } from '../../shared/data-folder/data-folder-lock.ts';
import { createLogger } from '../../shared/logger.ts';
import { hubFrom, savedText } from '../daemon-arguments.ts';
import { askHidden, canAsk, choose, confirm, Declined, requirePerson } from '../shared/ask.ts';
import { interruptible } from '../shared/interruptible.ts';
import { type JsonOption, print, printError, printJson } from '../shared/print.ts';
import { ProgressLine, stepProgress } from '../shared/progress-line.ts';
import { checkDeps, existingFolder, type Folders, listFolder } from './environment.ts';
import { findingsText } from './findings-text.ts';
import { filesText, previewText, withAdvice } from './publish-text.ts';

export interface PublishOptions extends JsonOption {
  readonly private?: boolean;
  readonly public?: boolean;
  readonly hub?: string;
  readonly dryRun?: boolean;
  readonly version?: string;
  readonly overwrite?: boolean;
  readonly yes?: boolean;
}

/** `robot-app-assistant publish` */
export async function publish(path: string, options: PublishOptions, folders: Folders): Promise<void> {
  const folder = await existingFolder(path);
  const checks = await checkDeps(folders);
  await withAdvice(null, () => requireSound(folder, checks)); // before a person looks for a token
  try {
    await publishFolder(folder, options, await publishingHub(options, folders), checks);
    if (!options.dryRun) await listFolder(folder, folders.paths);
  } catch (error) {
    if (!(error instanceof NoHubToken) || !options.dryRun || options.json) throw error;
    const environment = checks.childEnvironment();
    const files = await withAdvice(null, () => interruptible((signal) => localFiles(folder, environment, signal)));
    print(`Files that would be published:\n${filesText(files)}`);
    printError(`They are not compared with the hub. ${error.message}`);
  }
}

/** Shows what a publication changes, asks, and publishes. @throws DomainError */
export async function publishFolder(
  folder: string,
  options: PublishOptions,
  hub: HubOfAssistant,
  checks: CheckDeps,
): Promise<void> {
  await withAdvice(hub.from, async () => {
    const deps: PublishDeps = {
      ...hub,
      environment: checks.childEnvironment,
      check: (path, signal) => quickCheck(path, checks, signal),
      fix: fixFindings,
    };
    const preview = await previewFor(folder, options, deps);
    const visibility = preview.exists ? undefined : await visibilityOf(options);
    if (options.dryRun) return printPreview(preview, options, visibility);
    if (!options.json) printPreview(preview, options, visibility);
    const overwrite = await confirmed(preview, options);
    const choices = { ...choicesOf(options), ...(visibility && { visibility }), ...(overwrite && { overwrite }) };
    const isSame = preview.exists && preview.changes.length === 0;
    await withProgress(options, isSame, (progress) => publishApp(folder, choices, deps, progress));
  });
}

/** Prints the warnings of the check. @throws NotPublishable for its problems */
async function requireSound(folder: string, checks: CheckDeps): Promise<void> {
  const { findings } = await interruptible((signal) => quickCheck(folder, checks, signal));
  const problems = findings.filter(({ severity }) => severity === 'problem');
  if (problems.length > 0) throw new NotPublishable(problems);
  process.stderr.write(findingsText(findings, process.stderr));
}

/** A dry run shows what a token could publish that may only read. */
function previewFor(folder: string, options: PublishOptions, deps: PublishDeps): Promise<PublicationPreview> {
  const onReadOnlyToken = (account: string) =>
    printError(`The token of ${account} may only read the hub. Publishing needs one with write permission.`);
  const previewDeps = options.dryRun ? { ...deps, onReadOnlyToken } : deps;
  return interruptible((signal) => previewPublication(folder, choicesOf(options), previewDeps, signal));
}

/** Prints a publication, and its steps before. @param isSame whether the Space has the same files already */
async function withProgress(
  { json }: PublishOptions,
  isSame: boolean,
  publishWith: (progress: WorkProgress) => Promise<Publication>,
): Promise<void> {
  using line = new ProgressLine();
  const log = (text: string) => {
    line.clear();
    if (!json) printError(text);
  };
  const silent = json || isSame ? { step: () => {}, detail: () => {} } : {};
  const { id, url, version, ...more } = await interruptible((signal) =>
    publishWith({ ...stepProgress(publishSteps, line, signal), log, ...silent }),
  );
  line.clear();
  if (json) printJson({ id, url, version, ...more });
  else if (isSame) print(`Nothing to publish: ${id} has the same files, version ${version}: ${url}\n`);
  else print(`${id} is published, version ${version}: ${url}\n`);
}

function choicesOf({ private: isPrivate, public: isPublic, version, overwrite }: PublishOptions): PublishRequest {
  return {
    ...(isPrivate && { visibility: 'private' }),
    ...(isPublic && { visibility: 'public' }),
    ...(version !== undefined && { version }),
    ...(overwrite && { overwrite }),
  };
}

/** Of a new Space. */
async function visibilityOf(options: PublishOptions): Promise<'private' | 'public'> {
  const { visibility } = choicesOf(options);
  if (visibility) return visibility;
  if (options.yes || options.dryRun || !canAsk()) return 'private';
  return choose('Who may see the Space?', ['private', 'public'], 'private');
}

function printPreview(
  preview: PublicationPreview,
  options: PublishOptions,
  visibility: 'private' | 'public' | undefined,
) {
  if (options.json) return printJson(preview);
  const how = { isPrivate: visibility !== 'public', overwrite: options.overwrite ?? false };
  print(`Publication of this folder:\n${previewText(preview, how)}`);
}

/** @returns whether changes made elsewhere are overwritten @throws Declined, BadArguments */
async function confirmed({ changes, changedElsewhere }: PublicationPreview, options: PublishOptions): Promise<boolean> {
  if (changes.length === 0) return false; // what is left to do becomes visible to nobody
  const mustOverwrite = changedElsewhere && !options.overwrite;
  if (options.yes) return false; // the publication refuses to overwrite
  requirePerson('publish asks before it publishes');
  const question = mustOverwrite ? 'Publish, and overwrite these changes?' : 'Publish?';
  if (!(await confirm(question))) throw new Declined('Nothing is published.');
  return mustOverwrite;
}

/** A client of the hub, and the token that it uses. */
type HubOfAssistant = Awaited<ReturnType<typeof publishingHub>>;

/**
 * The hub, that of the daemon by default, with a token that a variable, the data folder or a person gives.
 * @throws BadArguments, NoHubToken, Interrupted
 */
export async function publishingHub({ hub: given }: PublishOptions, { paths }: Folders) {
  const hubUrl = hubFrom(given) ?? savedText(await instanceIn(paths), 'hubUrl');
  const { hubTokenFile, secretKeyFile } = paths;
  const ask = canAsk() ? typedToken : null;
  const sources = { environment: process.env, hubUrl, hubTokenFile, secretKeyFile, ask };
  const { token, from } = await hubTokenForAssistant(sources);
  const log = createLogger('error');
  const hub = new HubClient({ hubUrl, token: async () => token, onTokenRefused: () => {}, clock: systemClock, log });
  return { hub, token, from };
}

async function typedToken(why: string | null): Promise<string> {
  if (why !== null) printError(why);
  const token = await askHidden("Token of the hub, with write permission (from its website; it isn't shown):");
  if (token === '') throw new NoHubToken();
  return token;
}
