import type { HostWindow } from './electron-host.ts';

/** Puts a window before the others, wherever it was. */
export function bringUp(window: HostWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
