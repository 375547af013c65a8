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

/** A screen for windows: the real one, else a virtual one, else none. */
export async function prepareScreen(): Promise<Screen> {
  const withoutXvfb = (description: string) => ({ env: {}, description, close: () => {} });
  if (process.platform !== 'linux' || process.env['DISPLAY']) return withoutXvfb('on the real screen');
  if (!existsSync(XVFB)) await installOnBuildMachine('xvfb');
  if (!existsSync(XVFB)) return withoutXvfb('without a screen (Xvfb is not installed)');
  // The program chooses a free display number and writes it to the given descriptor.
  const server = execa(XVFB, ['-displayfd', '1', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    buffer: false,
    reject: false,
  });
  for await (const number of createInterface({ input: server.stdout })) {
    return { env: { DISPLAY: `:${number}` }, description: 'under Xvfb', close: () => void server.kill() };
  }
  return withoutXvfb('without a screen (Xvfb did not start)');
}
