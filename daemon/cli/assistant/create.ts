import { isAbsolute, join, relative, resolve } from 'node:path';
import { appNames } from '../../assistant/create/app-names.ts';
import { type CreatedApp, createApp } from '../../assistant/create/create-app.ts';
import { AppNameUnusable } from '../../assistant/errors.ts';
import type { AppTemplate } from '../../contract/apps/own-apps.ts';
import { projectResources } from '../project.ts';
import { ask, canAsk, choose, requirePerson } from '../shared/ask.ts';
import { BadArguments } from '../shared/errors.ts';
import { print } from '../shared/print.ts';
import { startedAs, terminalCommand } from '../terminal-commands.ts';
import { checkDeps, type Folders, listFolder } from './environment.ts';
import type { PublishOptions } from './publish.ts';

export interface CreateOptions extends Pick<PublishOptions, 'private' | 'public' | 'hub' | 'yes'> {
  readonly template: AppTemplate;
  readonly publish?: boolean;
}

/** `robot-app-assistant create`. Asks for the needs of a publication before anything is created. */
export async function create(
  givenName: string | undefined,
  givenDestination: string | undefined,
  options: CreateOptions,
  folders: Folders,
): Promise<void> {
  requirePublish(options);
  const isAsked = givenName === undefined;
  const name = givenName ?? (await asked('the name of the app', askName));
  const template = isAsked
    ? await choose<AppTemplate>('Which template?', ['default', 'conversation'], options.template)
    : options.template;
  const destination =
    givenDestination ??
    (await asked('the folder to create it in', () => ask('In which folder is its folder created?', { proposed: '.' })));
  const publication = options.publish ? await import('./publish.ts') : null;
  const hub = await publication?.publishingHub(options, folders);
  const { assetsDir } = projectResources(folders.projectDir);
  const wanted = { name, destination: resolve(destination), template };
  const created = await createApp(wanted, { templatesDir: join(assetsDir, 'app-templates') });
  await listFolder(created.folder, folders.paths);
  print(describe(created));
  try {
    if (hub) await publication?.publishFolder(created.folder, options, hub, await checkDeps(folders));
  } finally {
    print(nextSteps(created, folders)); // the app exists, whatever the hub says
  }
}

/** @throws BadArguments for options of a publication without one, and when nobody can confirm it */
function requirePublish(options: CreateOptions): void {
  if (options.publish) {
    if (!options.yes) requirePerson('create --publish asks before it publishes');
    return;
  }
  const foreign = (['private', 'public', 'yes', 'hub'] as const).find((name) => options[name] !== undefined);
  if (foreign) throw new BadArguments(`--${foreign} is for a publication: give --publish too.`);
}

/** @throws BadArguments where nobody can be asked */
async function asked(what: string, question: () => Promise<string>): Promise<string> {
  if (!canAsk()) throw new BadArguments(`create needs ${what}.`);
  return question();
}

/** Asks until an app can be called so. After a refusal it proposes a similar name. */
async function askName(): Promise<string> {
  for (let proposed = 'my_app'; ; ) {
    const name = await ask('What is the app called?', { proposed });
    try {
      appNames(name);
      return name;
    } catch (error) {
      if (!(error instanceof AppNameUnusable)) throw error;
      process.stderr.write(`${error.message}\n`);
      proposed = error.suggestion ?? proposed;
    }
  }
}

function describe({ folder, name, className, files }: CreatedApp): string {
  const list = files.map((file) => `  ${file}\n`).join('');
  return `${name} is created in ${folder}, with the class ${className}:\n${list}`;
}

function nextSteps({ folder }: CreatedApp, { projectDir, paths }: Folders): string {
  const started = startedAs(projectDir, paths.root);
  const steps = [
    ['run', 'runs it, and restarts it when you change a file'],
    ['check', 'finds what is wrong before you publish'],
    ['publish', 'puts it on the hub, where the store finds it'],
  ] as const;
  const inside = relative(process.cwd(), folder);
  const path = inside.startsWith('..') || isAbsolute(inside) ? folder : inside;
  const lines = steps.map(
    ([step, does]) => `  ${terminalCommand([step, path], started, 'robot-app-assistant')}\n      ${does}\n`,
  );
  return `Next:\n${lines.join('')}`;
}
