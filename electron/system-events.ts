import { errorText } from '../daemon/shared/logger.ts';
import type { ElectronHost, HostWindow } from './electron-host.ts';

interface SystemEvents {
  readonly host: Pick<ElectronHost, 'app' | 'powerMonitor'>;
  /** The source of signals and uncaught exceptions. */
  readonly process: Pick<NodeJS.EventEmitter, 'on'>;
  /** Called for each signal after the first, which quits. */
  readonly onFurtherSignal: () => void;
  readonly onUncaught: () => void;
}

/** Quits at the end of a session on Windows, which sends no `before-quit`, and tells windows alone. */
export function quitAtSessionEnd(window: Pick<HostWindow, 'on'>, { app }: Pick<ElectronHost, 'app'>): void {
  window.on('query-session-end', (event) => {
    event.preventDefault();
    app.quit();
  });
}

/** Handles shutdown, signals and uncaught exceptions. After Electron is ready, to replace its own signal handlers. */
export function handleSystemEvents({ host, process, onFurtherSignal, onUncaught }: SystemEvents): void {
  // Without preventDefault the system does not wait; the types omit the event.
  host.powerMonitor.on('shutdown', ((event: { preventDefault(): void }) => {
    event.preventDefault();
    host.app.quit();
  }) as () => void);
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      signals += 1;
      if (signals === 1) host.app.quit();
      else onFurtherSignal();
    });
  }
  process.on('uncaughtException', (error: Error) => {
    console.error(errorText(error));
    onUncaught();
  });
}
