import { dirname } from 'node:path';
import type { KnownCard } from '../../graphics-cards/graphics-cards.ts';
import type { Clock } from '../../shared/clock.ts';
import { leaderExit, requireStarted, startLeader } from '../../shared/processes/start-leader.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { readLlamaArguments } from '../description/llama-arguments.ts';
import {
  type EndpointRuntime,
  ggufFiles,
  type ModelNeed,
  type ReplicaSpec,
  type Unsuitable,
} from '../runtime/endpoint-runtime.ts';
import { ReplicaProcess } from '../runtime/replica-process.ts';
import { llamaServerArguments } from './llama-server-arguments.ts';
import type { LlamaServerCapabilities } from './llama-server-capabilities.ts';
import { replicaEnvironment } from './replica-environment.ts';
import { unsuitableForLlamacpp } from './unsuitable-text.ts';

interface LlamaServerDeps {
  /** The path of the program. */
  readonly program: string;
  readonly capabilities: LlamaServerCapabilities;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  /** Why models can use no graphics card although it lists one; null: they can. */
  readonly noCard: () => Unsuitable | null;
  readonly clock: Clock;
}

/** llama.cpp's own server, as it is installed on this machine. */
export class LlamaServer implements EndpointRuntime {
  readonly label: string;
  readonly outlivesDaemon = true;
  readonly #deps: LlamaServerDeps;

  constructor(deps: LlamaServerDeps) {
    this.#deps = deps;
    this.label = `llama-server ${deps.capabilities.version}`;
  }

  /** By Vulkan it uses the cards that this daemon knows; by another interface, such as CUDA, it may have others. */
  get cardPlace(): 'needed' | 'welcome' {
    return this.cards.length > 0 ? 'needed' : 'welcome';
  }

  /** Whether it can use a graphics card of this machine. */
  get hasGpu(): boolean {
    return this.#deps.capabilities.devices.length > 0;
  }

  /**
   * The cards that it lists, for machines whose bundled runner has no build for them. It tells neither their drivers nor
   * whether their memory is the machine's, and is not asked again how much is free: it fits each model to that itself.
   */
  get cards(): readonly KnownCard[] {
    return this.#deps.capabilities.vulkanCards.map(({ device, name, totalBytes }, index) => ({
      ...{ index, name, api: 'vulkan', driver: null, totalBytes, freeBytes: totalBytes, sharesMemory: false },
      ...{ selector: null, device },
    }));
  }

  get readsImages(): boolean {
    return this.#deps.capabilities.options.has('--mmproj');
  }

  unsuitable(parts: EndpointParts): Unsuitable | null {
    const general = unsuitableForLlamacpp(parts);
    if (general !== null) return general;
    const { options, listensOnSockets, chatTemplates } = this.#deps.capabilities;
    const { chatTemplate } = parts.model.image.llamacpp ?? {};
    const newer = 'Install a newer one.';
    if (!listensOnSockets) return { problem: `${this.label} cannot listen on a Unix socket.`, action: newer };
    if (parts.compute.accelerator === 'gpu' && !this.hasGpu) {
      const problem = `${this.label} found no graphics card that it can use.`;
      return { problem, action: 'Install one built for yours, or choose the processor.' };
    }
    const noCard = parts.compute.accelerator === 'gpu' ? this.#deps.noCard() : null;
    if (noCard !== null) return noCard;
    const missing = neededOptions(parts).find((option) => !options.has(option));
    if (missing !== undefined) {
      return { problem: `${this.label} has no option ${missing}, which this endpoint needs.`, action: newer };
    }
    if (chatTemplate && chatTemplates.length > 0 && !chatTemplates.includes(chatTemplate)) {
      return { problem: `${this.label} knows no chat template ${chatTemplate}.`, action: newer };
    }
    const wrong = readLlamaArguments(parts.model.args ?? []).problems.find(({ isLeftOut }) => !isLeftOut);
    return wrong ? { problem: wrong.message, action: 'Correct its arguments.' } : null;
  }

  modelNeed(): ModelNeed {
    return 'gguf';
  }

  async start(spec: ReplicaSpec): Promise<ReplicaProcess> {
    const { program, capabilities, childEnvironment, clock } = this.#deps;
    const { parts, socketPath, model, card, onLine } = spec;
    const args = llamaServerArguments(spec, capabilities);
    const { env, notes } = replicaEnvironment(childEnvironment(), spec.variables, card);
    const child = startLeader(program, args, { env, cwd: dirname(ggufFiles(model).modelPath) });
    await requireStarted(child);
    const exited = leaderExit(child).then(([code, signal]) => ({ code, signal }));
    const { pid = 0, stdout, stderr } = child;
    const usesCard = parts.compute.accelerator === 'gpu';
    return new ReplicaProcess({ pid, stdout, stderr, exited }, { clock, socketPath, env, notes, onLine, usesCard });
  }
}

/** Options beyond those of every version. */
function neededOptions({ model }: EndpointParts): string[] {
  const { mmprojModelPath, specModelPath, mode, threadsHttp } = model.image.llamacpp ?? {};
  return [
    ...(mmprojModelPath ? ['--mmproj'] : []),
    ...(specModelPath ? ['--model-draft'] : []),
    ...(mode ? [`--${mode}`, '--pooling'] : []),
    ...(threadsHttp ? ['--threads-http'] : []),
  ];
}
