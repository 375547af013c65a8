import { join } from 'node:path';
import type { LocalLimits } from '../catalog/compute/local-programs.ts';
import type { ContainerEngineFinder } from '../containers/container-engine-finder.ts';
import type { ContainerEngineStatus, RuntimeStatus } from '../contract/endpoints/runtimes.ts';
import { lazy } from '../shared/async/lazy.ts';
import type { ForkNode } from '../shared/processes/fork-node.ts';
import type { EndpointParts } from './description/endpoint-parts.ts';
import { bundledPackage } from './llamacpp/bundled-package.ts';
import { BundledRuntime } from './llamacpp/bundled-runtime.ts';
import { readInstalled } from './llamacpp/installed-llama-server.ts';
import { LlamaServer } from './llamacpp/llama-server.ts';
import { askLlamaServer, findLlamaServer } from './llamacpp/llama-server-program.ts';
import { unsuitableForLlamacpp } from './llamacpp/unsuitable-text.ts';
import type { EndpointRuntime } from './runtime/endpoint-runtime.ts';

export interface RuntimesDeps {
  /** The path of llama-server by the user's setting, or `none`; null: found on PATH or downloaded. */
  readonly llamaServer: string | null;
  /** The folder of downloaded programs. */
  readonly runtimesDir: string;
  /** The file of the bundled runner. */
  readonly runner: string;
  readonly forkNode: ForkNode;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly containerEngine: Pick<ContainerEngineFinder, 'status' | 'find' | 'refresh'>;
  /** Whether the release of llama-server has a build for this machine. */
  readonly hasRelease: () => Promise<boolean>;
}

interface Detected {
  readonly statuses: readonly RuntimeStatus[];
  /** In the order of preference. */
  readonly usable: readonly EndpointRuntime[];
  readonly limits: LocalLimits;
}

interface Found<Runtime> {
  readonly status: RuntimeStatus;
  readonly runtime: Runtime | null;
}

const NO_RUNTIME = 'This machine has no program that runs models of llama.cpp.';
const INSTALL = 'Install llama-server.';
const INSTALL_IT = 'Install it.';
const NEWER = 'Install a newer one.';
const NO_GPU = 'The graphics card needs a llama-server that was built for it. Name one by the option --llama-server.';
const NO_VISION = 'It reads images, which needs llama-server.';

/**
 * The programs of this machine that serve models. They are looked for at the first call, and again after `refresh`. The
 * results of calls without a refresh between them are the same objects.
 */
export class Runtimes {
  readonly #deps: RuntimesDeps;
  #detected: () => Promise<Detected>;

  constructor(deps: RuntimesDeps) {
    this.#deps = deps;
    this.#detected = lazy(() => this.#detect());
  }

  /** Forgets what was found: a program was installed or removed. */
  refresh(): void {
    this.#deps.containerEngine.refresh();
    this.#detected = lazy(() => this.#detect());
  }

  async list(): Promise<readonly RuntimeStatus[]> {
    return (await this.#detected()).statuses;
  }

  /** The program that runs containers on this machine. */
  containers(): Promise<ContainerEngineStatus> {
    return this.#deps.containerEngine.status();
  }

  async limits(): Promise<LocalLimits> {
    return (await this.#detected()).limits;
  }

  /** The preferred program that can run an endpoint, or why none can, in one sentence. */
  async forEndpoint(parts: EndpointParts): Promise<EndpointRuntime | { readonly problem: string }> {
    const { usable, limits } = await this.#detected();
    const problems: string[] = [];
    for (const runtime of usable) {
      const problem = runtime.unsuitable(parts);
      if (problem === null) return runtime;
      problems.push(problem);
    }
    return { problem: problems[0] ?? unsuitableForLlamacpp(parts) ?? limits.cpu ?? NO_RUNTIME };
  }

  async #detect(): Promise<Detected> {
    const [server, bundled, containers] = await Promise.all([
      this.#llamaServer(),
      this.#bundled(),
      this.#deps.containerEngine.status(),
    ]);
    const usable = [server.runtime, bundled.runtime].filter((runtime) => runtime !== null);
    const advice = (install: string) => (server.canInstall ? install : (server.status.problem ?? install));
    return {
      statuses: [server.status, bundled.status],
      usable,
      limits: {
        cpu: usable.length > 0 ? null : `${NO_RUNTIME} ${advice(INSTALL)}`,
        gpu: server.runtime?.hasGpu ? null : NO_GPU,
        vision: server.runtime?.readsImages ? null : `${NO_VISION} ${server.runtime ? NEWER : advice(INSTALL_IT)}`,
        canInstall: server.canInstall,
        ...containerLimits(containers),
        images: new Set(),
      },
    };
  }

  async #llamaServer(): Promise<Found<LlamaServer> & { readonly canInstall: boolean }> {
    const { llamaServer: setting, runtimesDir, childEnvironment, platform, hasRelease } = this.#deps;
    const found = (
      path: string | null,
      problem: string,
      { version = null, canInstall = false }: { version?: string | null; canInstall?: boolean } = {},
    ) => ({
      status: { id: 'llama-server', label: 'llama-server', version, path, problem, hasGpu: false } as const,
      runtime: null,
      canInstall,
    });
    if (platform === 'win32') return found(null, 'llama-server is not used on Windows: it has no Unix sockets there.');
    if (setting === 'none') return found(null, 'llama-server is switched off by the option --llama-server none.');
    const installed = await readInstalled(runtimesDir);
    const downloaded = installed && join(runtimesDir, installed.program);
    const path = childEnvironment()['PATH'] ?? '';
    const program = await findLlamaServer({ setting, path, downloaded });
    // An install would not replace the one on the search path.
    const canInstall = setting === null && (program === null || program === downloaded) && (await hasRelease());
    if (program === null) return found(null, 'llama-server is not installed.', { canInstall });
    const capabilities = await askLlamaServer(program, childEnvironment());
    if ('problem' in capabilities) return found(program, capabilities.problem, { canInstall });
    const { version, listensOnSockets } = capabilities;
    const tooOld = 'It cannot listen on a Unix socket. Install a newer one.';
    if (!listensOnSockets) return found(program, tooOld, { version, canInstall });
    const runtime = new LlamaServer({ program, capabilities, childEnvironment });
    const { label, hasGpu } = runtime;
    return {
      status: { id: 'llama-server', label, version, path: program, problem: null, hasGpu },
      runtime,
      canInstall,
    };
  }

  async #bundled(): Promise<Found<BundledRuntime>> {
    const { runner: program, forkNode, childEnvironment, platform, arch } = this.#deps;
    const status = { id: 'bundled', path: program, hasGpu: false } as const;
    const found = await bundledPackage(program, platform, arch);
    if ('problem' in found) {
      const { problem } = found;
      return { status: { ...status, label: 'bundled llama.cpp', version: null, path: null, problem }, runtime: null };
    }
    const { version } = found;
    const runtime = new BundledRuntime({ version, program, forkNode, childEnvironment });
    return { status: { ...status, label: runtime.label, version, problem: null }, runtime };
  }
}

function containerLimits({ problem, action, label, hasGpu }: ContainerEngineStatus) {
  if (problem !== null) {
    const containers = [problem, action].filter((text) => text !== null).join(' ');
    return { containers, containerGpu: containers };
  }
  return { containers: null, containerGpu: hasGpu ? null : `${label} passes no graphics card to its containers.` };
}
