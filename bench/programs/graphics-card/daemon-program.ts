import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { Hardware } from '../../../daemon/contract/compute/hardware.ts';
import { type EndpointClient, endpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';

const START_MS = 60_000;
const TOKEN_MS = 30_000;
const REQUEST_MS = 60_000;
/** The time limit for an end in order. */
const END_MS = 15_000;
const NAMESPACE = 'lab';

/** An endpoint that serves a file of this machine. */
export interface WantedEndpoint {
  readonly name: string;
  readonly modelPath: string;
  readonly accelerator: 'cpu' | 'gpu';
  /** More fields of the `llamacpp` image. */
  readonly image: Readonly<Record<string, number>>;
}

/** The daemon as a program on a data folder of its own, with the simulated robot and no hub. */
export class DaemonProgram {
  /** The processes and the folder that `end` removes. */
  #child: ChildProcess | null = null;
  #dataDir: string | null = null;
  #output = '';
  #url = '';
  #token = '';

  /**
   * @param installation the folder with the daemon's bin, dist and assets, and the packages of its runner
   * @param shaderCache the folder for what the graphics driver compiles
   * @throws Error with its output when it does not come up
   */
  async start(installation: string, shaderCache: string): Promise<void> {
    const program = join(installation, 'bin', 'robot-daemon.cjs');
    const dataDir = mkdtempSync(join(tmpdir(), 'card-'));
    this.#dataDir = dataDir;
    mkdirSync(shaderCache, { recursive: true });
    symlinkSync(shaderCache, join(dataDir, 'shader-cache'));
    const made = [program, 'token', 'create', 'bench', '--data-dir', dataDir];
    this.#token = (await promisify(execFile)(process.execPath, made, { timeout: TOKEN_MS })).stdout.trim();
    const none = ['--hub', 'http://127.0.0.1:9', '--llama-server', 'none', '--container-engine', 'none'];
    const args = [program, '--sim', '--port', '0', '--data-dir', dataDir, ...none];
    // A group of its own: Ctrl-C reaches it once, by `end`.
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    this.#url = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`The daemon is not up after ${START_MS / 1_000} s.`)), START_MS);
      const settle = (then: () => void) => {
        clearTimeout(late);
        then();
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          this.#output = (this.#output + chunk).slice(-20_000);
          const url = / is at (http:\S+)\/\s/.exec(this.#output)?.[1];
          if (url !== undefined) settle(() => resolve(url));
        });
      }
      child.once('error', (error) => settle(() => reject(error)));
      child.once('exit', (code, signal) => settle(() => reject(new Error(`The daemon ended (${signal ?? code}).`))));
    });
  }

  /** The last lines of its output. */
  get output(): string {
    return this.#output.split('\n').slice(-30).join('\n');
  }

  /** The graphics cards, their memory measured now. */
  cards(): Promise<GraphicsCards> {
    return this.#send<GraphicsCards>('GET', '/api/graphics-cards');
  }

  endpoint(name: string): EndpointClient {
    return endpointClient(this.#url, this.#token, name);
  }

  /** Creates an endpoint, which starts at once. @throws Error with the refusal */
  async create({ name, modelPath, accelerator, image }: WantedEndpoint): Promise<EndpointClient> {
    const { vendors } = await this.#send<Hardware>('GET', `/v2/provider/${NAMESPACE}`);
    const here = vendors.find((vendor) => vendor.name === 'local')?.regions[0]?.computes;
    const compute = here?.find((offer) => offer.accelerator === accelerator);
    if (compute === undefined) throw new Error(`This machine offers no compute of the kind ${accelerator}.`);
    const { instanceType, instanceSize } = compute;
    await this.#send('POST', `/v2/endpoint/${NAMESPACE}`, {
      ...{ name, type: 'authenticated', provider: { vendor: 'local', region: 'this-machine' } },
      compute: { accelerator, instanceType, instanceSize, scaling: { minReplica: 1, maxReplica: 1 } },
      model: {
        ...{ repository: `bench/${name}`, framework: 'llamacpp' },
        image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath, ...image } },
      },
      experimentalFeatures: { skipRepoDownload: true },
    });
    return this.endpoint(name);
  }

  /** Ends the daemon and what it started, and removes its data. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      // Its guardian ends the models after a kill.
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(late);
    }
    if (this.#dataDir !== null) rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #send<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(this.#url + path, {
      ...{ method, signal: AbortSignal.timeout(REQUEST_MS) },
      headers: { authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Reply;
  }
}
