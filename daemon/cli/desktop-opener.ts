import type { DaemonOptions } from '../daemon-options.ts';
import { hasScreen } from '../shared/processes/has-screen.ts';

/** Opens files and folders with the programs of the desktop. Empty where no window can be seen. */
export function desktopOpener(env: NodeJS.ProcessEnv): Pick<DaemonOptions, 'opener'> {
  if (!hasScreen(env)) return {};
  return {
    opener: async (path) => {
      const { default: openWithDesktop } = await import('open');
      await openWithDesktop(path);
    },
  };
}
