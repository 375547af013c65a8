/** Switches that let pages and Chromium itself reach this machine only. */
const OFFLINE = [
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
  '--keep-alive-for-test', // an app may have no window
  '--disable-popup-blocking', // setWindowOpenHandler decides
  '--deny-permission-prompts', // setPermissionRequestHandler decides
  '--use-fake-device-for-media-stream', // so that a refused camera is refused, not missing
  '--autoplay-policy=no-user-gesture-required',
];

const WITHOUT_DESKTOP = [
  '--log-level=3', // without the errors about missing services of the desktop
  '--disable-breakpad',
  '--disable-search-engine-choice-screen',
  '--no-default-browser-check',
  '--password-store=basic',
];

/** @param added switches that the app or Playwright added */
export function chromiumSwitches(profile: string, added: readonly string[]): string[] {
  const headless = !process.env['DISPLAY'] || process.env['STANDIN_HEADLESS'] === '1';
  return [
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...(headless ? ['--headless=new'] : []),
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...added,
    ...WITHOUT_DESKTOP,
    ...LIKE_ELECTRON,
    ...OFFLINE,
  ];
}
