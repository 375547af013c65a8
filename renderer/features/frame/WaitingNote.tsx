import { useEffect, useState } from 'react';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { type CommandKind, type Waiting, waitingCommands } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** A quicker reply is not worth a sentence. */
const SHOW_AFTER_MS = 1_000;
const EVERY_MS = 250;

/** Says what the page waits for, when the daemon takes its time to answer a command. */
export function WaitingNote() {
  const commands = useDashboard((s) => s.commands);
  const waiting = waitingCommands({ commands });
  return waiting.length > 0 && <Late waiting={waiting} />;
}

function Late({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const now = useMonotonicNow();
  const [oldest, ...others] = waiting.filter(({ sentAt }) => now - sentAt >= SHOW_AFTER_MS);
  const text = useDashboard((s) => oldest && waitingText(oldest, (name) => titleOf(s, name)));
  if (!oldest) return null;
  const seconds = Math.floor((now - oldest.sentAt) / 1000);
  return (
    <section className="waiting" aria-label="Waiting">
      <StateMark tone="busy" />
      <p role="status">
        Waiting for the daemon to {text}
        {others.length > 0 && ` and ${others.length} more`}
      </p>
      {/* Not in the status, which would be read out each second. */}
      <span className="muted">{seconds} s</span>
    </section>
  );
}

/** The time of `performance` in ms, which `sentAt` is in. */
function useMonotonicNow(): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How a command goes on after "Waiting for the daemon to". `subject`: the rest of its key, of an app its title; `command`: which of the key. */
type Texts = Readonly<Record<CommandKind, (subject: string, command: string) => string>>;

/** By command, of keys that have several. An unknown one gets the first. */
type Choices = readonly [string, ...(readonly [command: string, text: string])[]];

const texts: Texts = {
  app: (name, command) =>
    choose(command, [
      `change ${name}`,
      ['update', `update ${name}`],
      ['rollBack', `return ${name} to its previous version`],
      ['pin', `pin ${name}`],
      ['unpin', `unpin ${name}`],
      ['remove', `remove ${name}`],
    ]),
  cancel: () => 'cancel a job',
  catalog: (_, command) => choose(command, ['change the catalog', ['refresh', 'read the catalog again']]),
  crash: () => 'keep that the crash was seen',
  deploy: () => 'deploy the model',
  'download-cache': () => 'remove downloads',
  endpoint: (name, command) =>
    choose(command, [
      `change ${name}`,
      ['pause', `pause ${name}`],
      ['resume', `resume ${name}`],
      ['sleep', `put ${name} to sleep`],
      ['delete', `delete ${name}`],
    ]),
  'endpoint-settings': (name) => `change the settings of ${name}`,
  hub: () => 'ask the hub about your account',
  install: (address) => `begin the install of ${address}`,
  mail: (_, command) =>
    choose(command, ['save the mail server', ['remove', 'forget the mail server'], ['test', 'send a test mail']]),
  'model-file': () => 'remove a file of a model',
  need: (app) => `save the models of ${app}`,
  notices: (_, command) => (command === 'clear' ? 'clear the notifications' : 'keep that notifications were seen'),
  'own-app': (_, command) =>
    choose(command.startsWith('open') ? 'open' : command, [
      'change your app',
      ['check', 'check your app'],
      ['fix', 'repair your app'],
      ['forget', 'take your app off the list'],
      ['open', 'open your app'],
      ['publish', 'publish your app'],
    ]),
  'own-apps': (_, command) => (command === 'add' ? 'add the folder' : 'create the app'),
  'own-file': () => 'check the file',
  'own-run': (_, command) => (command === 'stop' ? 'stop your app' : 'run your app'),
  robot: (_, command) =>
    choose(command, [
      'move the robot',
      ['wakeUp', 'wake the robot'],
      ['sleep', 'put the robot to sleep'],
      ['stop', 'stop the robot'],
      ['motorsOn', 'switch the motors on'],
      ['motorsOff', 'switch the motors off'],
      ['touchRight', 'touch the right antenna'],
      ['touchLeft', 'touch the left antenna'],
    ]),
  runtimes: (_, command) => choose(command, ['look for programs', ['install', 'begin the install of llama-server']]),
  session: (_, command) =>
    choose(command, ['end a session', ['sign-in', 'sign this browser in'], ['sign-out', 'sign this browser out']]),
  start: (name, command) => (command.startsWith('restart') ? `restart ${name}` : `start ${name}`),
  startup: () => 'save the startup app',
  stop: (_, command) => (command === 'force' ? 'force-stop the app' : 'stop the app'),
  store: () => 'ask the hub for its apps',
  variables: (_, appName) => `save the variables of ${appName}`,
};

/**
 * The command in words, after "Waiting for the daemon to".
 * @param title the title of the app with that name
 */
export function waitingText(
  { key, command }: Pick<Waiting, 'key' | 'command'>,
  title: (appName: string) => string,
): string {
  const [kind = '', ...words] = key.split(' ');
  const subject = words.join(' ');
  if (kind === 'variables') return texts.variables(subject, title(command));
  return texts[kind as CommandKind](aboutApps.has(kind) ? title(subject) : subject, command);
}

const aboutApps: ReadonlySet<string> = new Set<CommandKind>(['app', 'need', 'start']);

function choose(command: string, [otherwise, ...choices]: Choices): string {
  return choices.find(([each]) => each === command)?.[1] ?? otherwise;
}
