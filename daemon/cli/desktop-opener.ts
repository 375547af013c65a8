import type { DaemonOptions } from '../daemon-options.ts';

/** Whether windows of this process are seen by a person. @param env the variables of the process */
export function hasScreen({ CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION }: NodeJS.ProcessEnv): boolean {
  if (CI || SSH_CONNECTION) return false;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

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
