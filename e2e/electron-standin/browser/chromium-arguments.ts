/** The command line of Chromium. */

export interface ChromiumSwitches {
  /** As given to the app: Playwright wants a port beside our pipes. */
  readonly remoteDebuggingPort: string | null;
  /** What the app or Playwright appended, without dashes. */
  readonly appended: readonly (readonly [name: string, value: string])[];
}

/** It is to reach this machine and nothing else, whatever a page or Chromium itself asks for. */
const CALL_NOBODY = [
  '--disable-background-networking',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

const LIKE_ELECTRON = [
  '--no-startup-window',
  '--keep-alive-for-test', // an app may go on without a window
  '--disable-popup-blocking', // there is setWindowOpenHandler
  '--deny-permission-prompts', // there is setPermissionRequestHandler
  '--use-fake-device-for-media-stream', // so that a refused camera is refused, not missing
  '--autoplay-policy=no-user-gesture-required',
];

const WITHOUT_THE_DESKTOP = [
  '--disable-breakpad',
  '--disable-search-engine-choice-screen',
  '--no-default-browser-check',
  '--password-store=basic',
];

/** Chromium takes the last of these only, so they are put together. */
const LISTS = ['enable-features', 'disable-features'];

export function chromiumArguments(profile: string, { remoteDebuggingPort, appended }: ChromiumSwitches): string[] {
  const headless = !process.env['DISPLAY'] || process.env['STANDIN_HEADLESS'] === '1';
  const root = process.getuid?.() === 0;
  return [
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...(remoteDebuggingPort === null ? [] : [`--remote-debugging-port=${remoteDebuggingPort}`]),
    ...(headless ? ['--headless=new'] : []),
    ...(root ? ['--no-sandbox'] : []),
    ...appendedSwitches(appended),
    ...WITHOUT_THE_DESKTOP,
    ...LIKE_ELECTRON,
    ...CALL_NOBODY,
  ];
}

function appendedSwitches(appended: ChromiumSwitches['appended']): string[] {
  const single = appended.filter(([name]) => !LISTS.includes(name));
  const lists = LISTS.map(
    (list) => [list, appended.flatMap(([name, value]) => (name === list ? [value] : []))] as const,
  );
  const joined = lists
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, values.join(',')] as const);
  return [...single, ...joined].map(([name, value]) => (value ? `--${name}=${value}` : `--${name}`));
}
