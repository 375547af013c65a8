import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { leaderExit, startLeader } from '../../shared/processes/start-leader.ts';
import { type EngineVariant, engineImage } from './engine-images.ts';
import { type PodmanCommand, type RegistrySettings, writeSettings } from './engine-settings.ts';
import { imageStore } from './image-store.ts';

/** A real Podman of the test's own, as a service on a socket. */
export interface TestContainerEngine extends AsyncDisposable {
  /** The path of its socket. */
  readonly socket: string;
  /** Runs Podman's command on its containers and images. @returns stdout @throws ExecaError */
  podman(...args: string[]): Promise<string>;
  /** Gives images of the tests names, such as those of the vendors. Nothing is downloaded. */
  nameImages(names: Readonly<Record<string, EngineVariant>>): Promise<void>;
  /** Ends the service; its containers go on. With SIGKILL, nothing of it is told. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the service again on the same socket, after `stop`; does nothing while it runs. */
  restart(): Promise<void>;
}

const START_MS = 20_000;
const COMMAND_MS = 60_000;
const POLL_MS = 20;

/**
 * Starts an engine that shares nothing with others of this machine. Its containers, mounts and files are gone after its
 * disposal, and after the end of this process however it ends.
 * @throws Error with the last lines of the service
 */
export async function startContainerEngine(choices: RegistrySettings = {}): Promise<TestContainerEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'podman-')); // Podman's cleanup refuses a folder of over 50 characters
  const podman = await writeSettings(folder, await imageStore(), choices);
  const run = podmanIn(podman, folder);
  await writeFile(join(folder, 'podman.json'), JSON.stringify(podman));
  const keeper = startKeeper(folder);
  const socket = join(folder, 'podman.sock');
  const service = new Service(podman, folder, socket);
  const dispose = async () => {
    await service.stop('SIGTERM');
    keeper.stdin.end();
    await keeper;
  };
  try {
    await service.start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    socket,
    podman: run,
    nameImages: async (names) => {
      for (const [name, variant] of Object.entries(names)) await run('tag', engineImage(variant), name);
    },
    stop: (signal = 'SIGTERM') => service.stop(signal),
    restart: () => service.start(),
    [Symbol.asyncDispose]: dispose,
  };
}

/** @param cwd where Podman leaves a file for each container that took too much memory */
const podmanIn =
  ({ command: [program, ...options], env }: PodmanCommand, cwd: string) =>
  async (...args: string[]): Promise<string> => {
    const choices = { cwd, env, extendEnv: false, stdin: 'ignore', timeout: COMMAND_MS } as const;
    return (await execa(program, [...options, ...args], choices)).stdout;
  };

/** In a group of its own: Ctrl-C ends the tests, and thereby its input. */
function startKeeper(folder: string) {
  return execa(process.execPath, [join(import.meta.dirname, 'engine-keeper.ts'), folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    cleanup: false,
  });
}

/** The process that serves the socket. */
class Service {
  readonly #podman: PodmanCommand;
  readonly #folder: string;
  readonly #socket: string;
  #running: { readonly pid: number; readonly exited: Promise<unknown> } | null = null;

  constructor(podman: PodmanCommand, folder: string, socket: string) {
    this.#podman = podman;
    this.#folder = folder;
    this.#socket = socket;
  }

  async start(): Promise<void> {
    if (this.#running !== null) return;
    const { command, env } = this.#podman;
    const [program, ...options] = command;
    const log = join(this.#folder, 'service.log');
    const args = [...options, 'system', 'service', '--time', '0', `unix://${this.#socket}`];
    const child = startLeader(program, args, {
      cwd: this.#folder,
      env: { ...env },
      stdout: 'ignore',
      stderr: { file: log },
    });
    const exited = leaderExit(child);
    const { pid } = child;
    if (pid === undefined) throw (await child).cause;
    this.#running = { pid, exited };
    const untilMs = performance.now() + START_MS;
    while (!(await answers(this.#socket))) {
      if (performance.now() > untilMs) throw new Error(`Podman does not answer; its messages are in ${log}`);
      await sleep(POLL_MS);
    }
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (!running) return;
    process.kill(running.pid, signal);
    await running.exited;
    await rm(this.#socket, { force: true });
  }
}

/** Whether a server answers on a socket. */
async function answers(socketPath: string): Promise<boolean> {
  const request = get({ socketPath, path: '/_ping', timeout: 1_000 });
  try {
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}
