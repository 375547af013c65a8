import { lineMatching } from '../../daemon/testing/daemon/line-matching.ts';
import type { OverlayRoot } from './overlay-root.ts';

export interface OpenProgram {
  readonly url: string;
  /** Settles when the program has ended, with its exit code. */
  readonly ended: Promise<number | undefined>;
}

/** Opens the installed program on a screen of its own, as a user who is not root. It simulates the robot. */
export async function openInstalled(root: OverlayRoot): Promise<OpenProgram> {
  const screen = root.startAsUser('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp']);
  const display = await lineMatching(screen.stdout, /^\d+$/);
  if (!display) throw new Error('Xvfb did not start.');
  const env = { DISPLAY: `:${display[0]}`, STANDIN_NODE: '/opt/robot-desktop/resources/node/bin/node' };
  const { stdout, ended } = root.startAsUser('robot-desktop', ['--', '--sim', '--port', '0'], env);
  const found = await lineMatching(stdout, / is at (http:\S+)\/$/);
  if (!found?.[1]) throw new Error(`The installed program did not start, exit code ${await ended}.`);
  return { url: found[1], ended };
}
