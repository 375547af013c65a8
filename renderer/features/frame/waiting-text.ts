import type { CommandKind, Waiting } from '../../slices/base/commands.ts';

/**
 * How a command goes on after "Waiting for the daemon to". `subject`: the rest of its key, of an app its title. The texts of a
 * key with several commands are by command; an unknown one gets the last.
 */
const texts: Readonly<Record<CommandKind, (subject: string) => string | Readonly<Record<string, string>>>> = {
  app: (name) => ({
    update: `update ${name}`,
    rollBack: `return ${name} to its previous version`,
    pin: `pin ${name}`,
    unpin: `unpin ${name}`,
    reset: `reset ${name}`,
    undoReset: `undo the reset of ${name}`,
    undoResetReplacing: `undo the reset of ${name}`,
    remove: `remove ${name}`,
    other: `change ${name}`,
  }),
  cancel: () => 'cancel a job',
  catalog: () => ({ refresh: 'read the catalog again', other: 'change the catalog' }),
  crash: () => 'mark the crash as seen',
  deploy: () => 'deploy the model',
  desktop: () => 'change the desktop program',
  doctor: () => ({ report: 'collect the report', other: 'check this installation' }),
  'download-cache': () => 'remove downloads',
  endpoint: (name) => ({
    pause: `pause ${name}`,
    resume: `resume ${name}`,
    sleep: `put ${name} to sleep`,
    delete: `delete ${name}`,
    other: `change ${name}`,
  }),
  'endpoint-settings': (name) => `change the settings of ${name}`,
  'graphics-cards': () => ({ switch: 'switch the graphics card on or off', other: 'try the graphics card again' }),
  hub: () => 'ask the hub about your account',
  install: (address) => `begin the install of ${address}`,
  mail: () => ({ remove: 'forget the mail server', test: 'send a test mail', other: 'save the mail server' }),
  'model-file': () => 'remove a file of a model',
  need: (app) => `save the models of ${app}`,
  notices: () => ({ clear: 'clear the notifications', other: 'mark the notifications as seen' }),
  'own-app': () => ({
    check: 'check your app',
    fix: 'repair your app',
    forget: 'take your app off the list',
    open: 'open your app',
    publish: 'publish your app',
    other: 'change your app',
  }),
  'own-apps': () => ({ add: 'add the folder', other: 'create the app' }),
  'own-file': () => 'check the file',
  'own-run': () => ({ stop: 'stop your app', other: 'run your app' }),
  restart: () => 'restart',
  robot: () => ({
    wakeUp: 'wake the robot',
    sleep: 'put the robot to sleep',
    stop: 'stop the robot',
    motorsOn: 'switch the motors on',
    motorsOff: 'switch the motors off',
    touchRight: 'touch the right antenna',
    touchLeft: 'touch the left antenna',
    other: 'move the robot',
  }),
  runtimes: () => ({ install: 'begin the install of llama-server', other: 'look for programs' }),
  session: () => ({
    'sign-in': 'sign this browser in',
    'sign-out': 'sign this browser out',
    'make a code': 'make a code',
    other: 'end a session',
  }),
  start: (name) => ({ restart: `restart ${name}`, other: `start ${name}` }),
  startup: () => 'save the startup app',
  stop: () => ({ force: 'force-stop the app', other: 'stop the app' }),
  store: () => 'ask the hub for its apps',
  tokens: () => 'change its tokens',
  variables: (app) => `save the variables of ${app}`,
};

/** The commands that begin with one of these words have its text. */
const words = /^(?:open|restart)/;
const aboutApps: ReadonlySet<string> = new Set<CommandKind>(['app', 'need', 'start']);

/**
 * The command in words, after "Waiting for the daemon to".
 * @param title the title of the app with that name
 */
export function waitingText(
  { key, command }: Pick<Waiting, 'key' | 'command'>,
  title: (appName: string) => string,
): string {
  const [kind = '', ...rest] = key.split(' ');
  const subject = kind === 'variables' ? title(command) : aboutApps.has(kind) ? title(rest.join(' ')) : rest.join(' ');
  const text = texts[kind as CommandKind](subject);
  return typeof text === 'string' ? text : (text[words.exec(command)?.[0] ?? command] ?? text['other'] ?? '');
}
