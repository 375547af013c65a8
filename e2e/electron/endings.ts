/** The ways in which the program ends. */
import { signalGroup, signalProcess } from '../../daemon/shared/processes/processes.ts';
import { type Desktop, expect } from './desktop.ts';
import type { ProgramProcesses } from './program-processes.ts';

interface Started {
  readonly desktop: Desktop;
  readonly processes: ProgramProcesses;
}

export interface Ending {
  readonly name: string;
  readonly end: (started: Started) => Promise<unknown>;
  /** The main process ends in order, with 0. Otherwise it dies, its simulated robot with it, and the guardian takes over. */
  readonly inOrder: boolean;
}

export const GUARDIAN = /\/guard\.cjs$/;
const GPU = /--type=gpu-process/;
const RENDERER = /--type=renderer/;

export const endings: readonly Ending[] = [
  { name: 'its window is closed', inOrder: true, end: ({ desktop }) => desktop.page.close() },
  { name: 'it is quit from the menu', inOrder: true, end: ({ desktop }) => quit(desktop) },
  { name: 'Ctrl-C in its terminal', inOrder: true, end: async ({ desktop }) => toGroup(desktop, 'SIGINT') },
  { name: 'SIGTERM', inOrder: true, end: async ({ desktop }) => desktop.app.process().kill('SIGTERM') },
  { name: 'SIGTERM to its group', inOrder: false, end: async ({ desktop }) => toGroup(desktop, 'SIGTERM') },
  { name: 'SIGHUP of its closed terminal', inOrder: false, end: async ({ desktop }) => toGroup(desktop, 'SIGHUP') },
  {
    name: 'the end of the session, SIGTERM to every process',
    inOrder: false,
    end: async ({ processes }) => {
      for (const { pid } of await processes.list()) signalProcess(pid, 'SIGTERM');
    },
  },
  { name: 'SIGKILL', inOrder: false, end: async ({ desktop }) => desktop.app.process().kill('SIGKILL') },
  {
    name: 'SIGKILL of the GPU process, then its window is closed',
    inOrder: true,
    end: async ({ desktop, processes }) => {
      await expectAnother(GPU, processes);
      await desktop.page.getByRole('link', { name: 'Robot', exact: true }).click();
      await expect(desktop.page.getByRole('heading', { level: 1, name: 'Robot' })).toBeVisible();
      await desktop.page.close();
    },
  },
  {
    name: 'SIGKILL of the page, then it is quit',
    inOrder: true,
    end: async ({ desktop, processes }) => {
      const titled = desktop.app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return new Promise<string>((resolve) => window?.once('page-title-updated', (_event, title) => resolve(title)));
      });
      await processes.kill(RENDERER);
      expect(await titled, 'the page is back').toMatch(/Robot Desktop$/);
      await quit(desktop);
    },
  },
  {
    name: 'SIGKILL of the guardian, and then of the program',
    inOrder: false,
    end: async ({ desktop, processes }) => {
      await expectAnother(GUARDIAN, processes);
      desktop.app.process().kill('SIGKILL');
    },
  },
];

/** Kills a process, and expects that another one takes its place. */
async function expectAnother(pattern: RegExp, processes: ProgramProcesses): Promise<void> {
  const killed = await processes.kill(pattern);
  const others = async () => (await processes.matching(pattern)).filter((pid) => !killed.includes(pid));
  await expect.poll(others, `another process in the place of ${pattern}`).toHaveLength(1);
}

function quit({ app }: Desktop): Promise<void> {
  return app.evaluate(({ app: it }) => it.quit());
}

function toGroup({ app }: Desktop, signal: NodeJS.Signals): void {
  signalGroup(app.process().pid as number, signal);
}
