/** The name of the desktop program's own window in the list of sessions. */
export const WINDOW_NAME = 'The window of Robot Desktop';

/** By a mark in the user agent. The first that matches: most browsers name others, too. */
const browsers = [
  [/\bElectron\//, 'Robot Desktop'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** "Firefox on Linux", made of our own words only: a program writes what it likes into its user agent. */
export function browserName(userAgent = ''): string {
  const text = userAgent.slice(0, 1_000);
  const browser = browsers.find(([mark]) => mark.test(text))?.[1];
  const system = systems.find(([mark]) => mark.test(text))?.[1];
  return browser === undefined ? 'A program' : system === undefined ? browser : `${browser} on ${system}`;
}
