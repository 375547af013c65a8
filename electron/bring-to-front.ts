import type { HostWindow } from './electron-host.ts';

/** Shows a window in front of all others, also when it was minimized or hidden. */
export function bringToFront(window: HostWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
