import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { pages } from '../../../daemon/contract/dashboard-pages.ts';
import { namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOfNewApp, hrefOfOwnApps } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { holderOf, runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { blockedReason, suggestedCommand } from '../../slices/robot/robot-commands.ts';
import type { Dashboard } from '../../store/dashboard-store.ts';
import { hrefOfInstall } from '../apps/install-address.ts';
import { hrefOfComparison } from '../compare/compare-address.ts';
import { fitText } from '../deploy/fit-text.ts';
import { commandsFor, commandText, endpointStateText } from '../endpoints/endpoint-text.ts';
import { withCtrl } from '../shortcuts/shortcut-text.ts';
import { helpItems, moveItems, noStopItems, updateItems } from './action-items.ts';
import type { Found } from './find-all.ts';
import { matchScore } from './match.ts';
import type { PaletteItem } from './palette-item.ts';

/** The dialogs that lines open: the confirmation of a removal, the notifications, the shortcuts. */
export interface PaletteDialogs {
  readonly onRemove: (app: InstalledApp) => void;
  readonly onNotifications: () => void;
  readonly onShortcuts: () => void;
}

/** The lines that match, the best first. */
export function localItems(dashboard: Dashboard, typed: string, dialogs: PaletteDialogs): PaletteItem[] {
  const items = [
    ...runningItems(dashboard),
    ...pageItems(),
    notificationsItem(dialogs),
    ...compareItems(dashboard),
    ...robotItems(dashboard),
    ...appItems(dashboard, dialogs),
    ...updateItems(dashboard),
    ...ownAppItems(dashboard),
    ...moveItems(dashboard, typed),
    ...helpItems(dashboard, typed),
    shortcutsItem(dashboard, dialogs),
  ];
  // Enter takes the first line, which is one that does something.
  return [...matching(items, typed), ...matching(noStopItems(dashboard, typed), typed)];
}

/** The lines for what the daemon found, in its order. Results of an earlier text count only if they match this one. */
export function foundItems(dashboard: Dashboard, found: Found, typed: string): PaletteItem[] {
  const { sendEndpointCommand, installedApps } = dashboard;
  const isInstalled = (id: string) => installedApps.some(({ source }) => 'id' in source && source.id === id);
  const nameOf = namesForPeople(found.endpoints);
  const endpoints = found.endpoints.flatMap((each): PaletteItem[] => {
    const { model } = each.endpoint;
    const name = nameOf(each);
    const href = endpointHref(each);
    const { word } = endpointStateText(each);
    return [
      { id: `endpoint ${endpointKey(each)}`, label: name, hint: `endpoint, ${word}`, words: model.repository, href },
      ...commandsFor(each.endpoint).map((command) => ({
        id: `${command} ${endpointKey(each)}`,
        label: `${commandText(command, each.endpoint)} ${name}`,
        hint: `endpoint, ${word}`,
        href,
        run: () => sendEndpointCommand(each, command),
      })),
    ];
  });
  const remote = [
    ...found.storeApps.map(({ id, title }) => ({
      id: `store ${id}`,
      label: title,
      hint: isInstalled(id) ? 'store, installed' : 'store',
      href: hrefOf('apps', { spaceId: id }),
    })),
    ...found.models.map(({ repoId, fit }) => ({
      id: `model ${repoId}`,
      label: repoId,
      hint: `model, ${fitText(fit).word}`,
      href: hrefOf('models', { modelId: repoId }),
    })),
  ];
  const isCurrent = found.text === typed.trim();
  return [...matching(endpoints, typed), ...(isCurrent ? remote : matching(remote, typed))];
}

function matching(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  return items
    .map((item) => ({ item, score: scoreOf(item, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** A match in the further words counts less. */
function scoreOf({ label, words = '' }: PaletteItem, typed: string): number {
  return matchScore(typed, label) || matchScore(typed, `${label} ${words}`) / 2;
}

function pageItems(): PaletteItem[] {
  const tab = (page: 'apps' | 'models', value: string) => hrefOf(page, { tab: value });
  const settings = hrefOf('settings');
  const mail = hrefOf('settings', { query: 'section=mail' });
  const card = hrefOf('settings', { query: 'section=graphics-card' });
  return [
    ...pages.map(({ page, label }, index) => ({
      id: `page ${page}`,
      label,
      hint: withCtrl(String(index + 1)),
      words: 'page open',
      href: hrefOf(page),
    })),
    { id: 'install', label: 'Install an app…', hint: withCtrl('O'), words: 'folder git add', href: hrefOfInstall() },
    { id: 'create', label: 'Create an app…', hint: 'new', words: 'write template add own', href: hrefOfNewApp() },
    {
      id: 'own-apps',
      label: 'Your own apps',
      hint: 'page',
      words: 'create write check publish',
      href: hrefOfOwnApps(),
    },
    { id: 'moves', label: 'Emotions and dances', hint: 'page', words: 'moves play', href: hrefOf('robot') },
    { id: 'discover', label: 'Discover apps', hint: 'page', words: 'store hub', href: tab('apps', 'discover') },
    { id: 'samples', label: 'Sample apps', hint: 'page', href: tab('apps', 'samples') },
    { id: 'endpoints', label: 'Endpoints', hint: 'page', href: tab('models', 'endpoints') },
    { id: 'mail', label: 'Mail', hint: 'setting', words: 'smtp notifications', href: mail },
    { id: 'graphics-card', label: 'Graphics card', hint: 'setting', words: 'gpu vulkan metal', href: card },
    { id: 'startup-app', label: 'Startup app', hint: 'setting', words: 'wake up', href: settings },
    { id: 'theme', label: 'Theme', hint: 'setting', words: 'dark light appearance', href: settings },
    { id: 'sign-in', label: 'Sign in', hint: 'setting', words: 'token browser hub account', href: settings },
    {
      id: 'machine',
      label: 'This machine',
      hint: 'page',
      words: 'model files graphics cards',
      href: tab('models', 'machine'),
    },
  ];
}

/** Without the number that is new: the bell counts more than the daemon's notices. */
const notificationsItem = ({ onNotifications: run }: PaletteDialogs): PaletteItem => ({
  ...{ id: 'notifications', label: 'Notifications', hint: 'list', words: 'bell needs attention news', run },
});

/** Beside the key `?`, which can be switched off in that list. */
function shortcutsItem({ singleKeys }: Dashboard, { onShortcuts: run }: PaletteDialogs): PaletteItem {
  return { id: 'shortcuts', label: 'Shortcuts', hint: singleKeys ? '?' : 'list', words: 'single keys keyboard', run };
}

function compareItems({ compared }: Dashboard): PaletteItem[] {
  if (compared.length < 2) return [];
  const href = hrefOfComparison({ keys: compared, all: false });
  return [{ id: 'compare', label: 'Compare the chosen models', hint: 'page', words: 'recipes', href }];
}

function runningItems(dashboard: Dashboard): PaletteItem[] {
  const { slot, stopApp, restartApp } = dashboard;
  if (slot.state === 'free' || slot.holder.kind !== 'managed-app') return [];
  const { appName } = slot.holder;
  const title = titleOf(dashboard, appName);
  const words = appName;
  const restart = { id: `restart ${appName}`, label: `Restart ${title}`, hint: 'action', words };
  return [
    { id: `stop ${appName}`, label: `Stop ${title}`, hint: withCtrl('.'), words, run: () => stopApp() },
    { ...restart, href: hrefOf('apps', { appName }), run: () => restartApp(appName) },
  ];
}

function robotItems(dashboard: Dashboard): PaletteItem[] {
  const { robot, sendRobotCommand } = dashboard;
  if (!robot) return [];
  const command = suggestedCommand(robot);
  const label = command === 'wakeUp' ? 'Wake up' : 'Put to sleep';
  const reason = blockedReason(command, robot, holderOf(dashboard));
  const item = { id: command, label, words: 'robot sleep', href: hrefOf('robot') };
  return [
    // Where it is blocked, the Robot page says why.
    reason === null ? { ...item, hint: 'robot', run: () => sendRobotCommand(command) } : { ...item, hint: reason },
    ...(robot.motion === null
      ? []
      : [{ id: 'stop-motion', label: 'Stop motion', hint: 'robot', run: () => sendRobotCommand('stop') }]),
  ];
}

/** The page of an app, which asks whether to reset it. */
const hrefOfReset = (appName: string) => hrefOf('apps', { appName, query: 'reset=' });

function appItems(dashboard: Dashboard, { onRemove }: PaletteDialogs): PaletteItem[] {
  const { installedApps, sampleApps, slot, startApp, installApp } = dashboard;
  const samples = sampleApps.filter(({ name }) => !installedApps.some((app) => app.name === name));
  return [
    ...installedApps.flatMap((app): PaletteItem[] => {
      const { name } = app;
      const words = name;
      const title = titleOf(dashboard, name);
      const href = hrefOf('apps', { appName: name });
      const output = hrefOf('apps', { appName: name, tab: 'output' });
      const start = { id: `start ${name}`, label: `Start ${title}`, hint: 'action', words, href };
      return [
        { id: `app ${name}`, label: title, hint: 'app', words, href },
        ...(runOf(slot, name) ? [] : [{ ...start, run: () => startApp(name) }]),
        { id: `reset ${name}`, label: `Reset ${title}…`, hint: 'action', words, href: hrefOfReset(name) },
        { id: `remove ${name}`, label: `Remove ${title}…`, hint: 'action', words, run: () => onRemove(app) },
        { id: `output ${name}`, label: `Output of ${title}`, hint: 'page', words, href: output },
      ];
    }),
    ...samples.map(({ name, title, url }) => ({
      id: `install ${name}`,
      label: `Install ${title}`,
      hint: 'sample',
      words: name,
      href: hrefOf('apps', { tab: 'samples' }),
      run: () => installApp(url),
    })),
  ];
}

/** The apps that the user writes: their pages, and what runs or stops them. */
function ownAppItems({ ownApps, runOwnApp, stopOwnApp }: Dashboard): PaletteItem[] {
  return ownApps.apps.flatMap(({ id, name, title, run, exists }): PaletteItem[] => {
    const shared = { words: name ?? '', href: hrefOf('apps', { ownAppId: id }) };
    const page = { ...shared, id: `own-app ${id}`, label: title, hint: 'your app' };
    if (run.state !== 'off') {
      const stop = { id: `stop ${id}`, label: `Stop ${title}`, hint: 'your app', run: () => stopOwnApp(id) };
      return [page, { ...shared, ...stop }];
    }
    if (name === null || !exists) return [page];
    return [
      page,
      { ...shared, id: `run ${id}`, label: `Run ${title} from its folder`, hint: 'your app', run: () => runOwnApp(id) },
    ];
  });
}
