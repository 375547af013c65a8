import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { installOnBuildMachine } from './debian-packages.ts';

export interface Screen {
  readonly env: NodeJS.ProcessEnv;
  readonly description: string;
  close(): void;
}

const XVFB = '/usr/bin/Xvfb';
/** A small window manager that follows the desktops' common rules: without one no window can be minimized. */
const WINDOW_MANAGER = '/usr/bin/blackbox';

/** The Debian package of each program of a virtual screen. */
export const screenPrograms: Readonly<Record<string, readonly string[]>> = {
  [XVFB]: ['xvfb'],
  [WINDOW_MANAGER]: ['blackbox'],
};

/** A screen for windows: the real one, else a virtual one, else none. */
export async function prepareScreen(): Promise<Screen> {
  const withoutXvfb = (description: string) => ({ env: {}, description, close: () => {} });
  if (process.platform !== 'linux' || process.env['DISPLAY']) return withoutXvfb('on the real screen');
  const missing = Object.entries(screenPrograms).flatMap(([program, names]) => (existsSync(program) ? [] : names));
  if (missing.length > 0) await installOnBuildMachine(...missing);
  if (!existsSync(XVFB)) return withoutXvfb('without a screen (Xvfb is not installed)');
  // The program chooses a free display number and writes it to the given descriptor.
  const server = execa(XVFB, ['-displayfd', '1', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    buffer: false,
    reject: false,
  });
  for await (const number of createInterface({ input: server.stdout })) {
    const display = { DISPLAY: `:${number}` };
    const manager = manageWindows(display);
    const close = () => {
      manager?.kill();
      server.kill();
    };
    const env = manager ? display : { ...display, NO_WINDOW_MANAGER: '1' }; // tests that need one are skipped
    return { env, description: manager ? 'under Xvfb' : 'under Xvfb, without a window manager', close };
  }
  return withoutXvfb('without a screen (Xvfb did not start)');
}

/** @returns null: no window manager is installed */
function manageWindows(env: NodeJS.ProcessEnv): { kill(): unknown } | null {
  if (!existsSync(WINDOW_MANAGER)) return null;
  return execa(WINDOW_MANAGER, ['-rc', '/dev/null'], { env, stdio: 'ignore', reject: false });
}
