/** What the app may ask about the machine, and emits events that a test may emit in its place. */
import { EventEmitter } from 'node:events';

export const nativeTheme = Object.assign(new EventEmitter(), {
  themeSource: 'system',
  shouldUseDarkColors: false,
});

export const powerMonitor = new EventEmitter();
