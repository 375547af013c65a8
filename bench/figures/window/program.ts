import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { electronForTests, standInDir } from '../../../scripts/environment/electron-for-tests.ts';
import { installedElectron } from '../../../scripts/environment/electron-program.ts';
import { prepareScreen } from '../../../scripts/environment/virtual-screen.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { NotMeasurable } from '../../harness/figure.ts';
import { benchDir } from '../../harness/programs.ts';

const { name } = electronForTests();
/** The program that shows the windows: a figure names it, since the stand-in is not Electron. */
export const shownBy = name;
/** The reference: one window on one page of a heading. */
export const bareWindow = join(benchDir, 'programs', 'bare-window');

/** A desktop program whose page is interactive. Times are in milliseconds since the epoch, which all processes share. */
export interface WindowProgram extends AsyncDisposable {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The address of its page, without a path. */
  readonly url: string;
  readonly spawnedAt: number;
  /** When its window was reported. */
  readonly shownAt: number;
  /** The frame with the heading; that of the dashboard waits for the first snapshot. */
  readonly interactiveAt: number;
}

/** A screen for several windows. @throws NotMeasurable where the stand-in does not run */
export async function openScreen(): Promise<AsyncDisposable & { readonly env: NodeJS.ProcessEnv }> {
  if (process.platform !== 'linux')
    throw new NotMeasurable('The processes of the window are read from /proc, which only Linux has.');
  const screen = await prepareScreen();
  return { env: screen.env, ...registerCleanup(async () => screen.close()) };
}

/** Robot Desktop with a simulated robot on a data folder. */
export function startDashboardWindow(dataDir: string, env: NodeJS.ProcessEnv): Promise<WindowProgram> {
  return startWindow([projectDir, '--', '--sim', '--port', '0', '--data-dir', dataDir], env);
}

export async function startWindow(args: readonly string[], env: NodeJS.ProcessEnv): Promise<WindowProgram> {
  const electron = shownBy === 'Electron' ? installedElectron(process.env)?.path : join(standInDir, 'electron');
  const variables = { ...process.env, ...env } as Record<string, string>;
  const options = { args: [...args], cwd: projectDir, chromiumSandbox: true, env: variables };
  const spawnedAt = Date.now();
  const app = await _electron.launch({ ...options, ...(electron && { executablePath: electron }) });
  const ending = registerCleanup(() => app.close());
  const page = await app.firstWindow();
  const shownAt = Date.now();
  const interactive = await page.waitForFunction(() => {
    const connecting = document.querySelector('footer')?.textContent?.includes('Connecting') ?? false;
    return !connecting && document.querySelector('h1')?.checkVisibility() ? Date.now() : 0;
  });
  const interactiveAt = await interactive.jsonValue();
  return { app, page, url: new URL(page.url()).origin, spawnedAt, shownAt, interactiveAt, ...ending };
}
