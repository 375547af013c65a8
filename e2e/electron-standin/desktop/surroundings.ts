/** What the app may ask about the machine, and emits events that a test may emit in its place. */
import { EventEmitter } from 'node:events';
import { addRecordedMethods } from '../record.ts';

const DISPLAY = {
  id: 1,
  scaleFactor: 1,
  bounds: { x: 0, y: 0, width: 1400, height: 900 },
  workArea: { x: 0, y: 0, width: 1400, height: 900 },
  workAreaSize: { width: 1400, height: 900 },
  size: { width: 1400, height: 900 },
};

export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => DISPLAY,
  getAllDisplays: () => [DISPLAY],
  getDisplayMatching: () => DISPLAY,
  getDisplayNearestPoint: () => DISPLAY,
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
});

export const nativeTheme = Object.assign(new EventEmitter(), {
  themeSource: 'system',
  shouldUseDarkColors: false,
  shouldUseHighContrastColors: false,
});

export const powerMonitor = Object.assign(new EventEmitter(), {
  getSystemIdleTime: () => 0,
  getSystemIdleState: () => 'active',
  isOnBatteryPower: () => false,
});

export const powerSaveBlocker = { start: () => 1, stop: () => true, isStarted: () => false };

export const globalShortcut = { register: () => true, isRegistered: () => false, unregister() {}, unregisterAll() {} };

let copied = '';
export const clipboard = {
  readText: () => copied,
  writeText: (text: string) => {
    copied = text;
  },
  clear: () => {
    copied = '';
  },
};

export const crashReporter = {};
addRecordedMethods(crashReporter, 'crashReporter', ['start', 'addExtraParameter']);

export const protocol = {};
addRecordedMethods(protocol, 'protocol', ['registerSchemesAsPrivileged', 'handle', 'unhandle']);
