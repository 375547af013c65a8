import type { CardUse } from '../../contract/compute/graphics-cards.ts';

const LAYERS = /load_tensors: offloaded (?<layers>\d+)\/(?<total>\d+) layers to GPU/;
/** `llama_prepare_model_devices: using device Vulkan0 (A card (a driver)) (0000:01:00.0) - 2048 MiB free` */
const DEVICE = /: using device (?<device>\w+) \((?<name>.+?)\)(?: \([^()]*\))? - \d+ MiB free/;
/** `load_tensors:      Vulkan0 model buffer size =     0.43 MiB` */
const BUFFER = /\b(?<device>\w+) +(?<kind>model|KV|RS|output|compute) buffer size = +(?<mib>[\d.]+) MiB/;
/** Buffers in the machine's own memory: `CPU`, `CPU_Mapped`, `Vulkan_Host`, `CUDA_Host`. */
const OF_MACHINE = /^CPU|_Host$/;
const MiB = 1024 ** 2;

/**
 * Reads from the output of llama.cpp what it put on graphics cards: in its server, in the bundled runner and in containers.
 * A second model of a process, such as a draft model, counts with its memory.
 */
export class CardLines {
  /** By device and kind; a context that is made again replaces its buffers. */
  readonly #bytes = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #layers: { readonly layers: number; readonly totalLayers: number } | null = null;

  add(line: string): void {
    const { device, name, kind, mib, layers, total } = {
      ...DEVICE.exec(line)?.groups,
      ...BUFFER.exec(line)?.groups,
      ...LAYERS.exec(line)?.groups,
    } as Partial<Record<'device' | 'name' | 'kind' | 'mib' | 'layers' | 'total', string>>;
    if (layers !== undefined) this.#layers ??= { layers: Number(layers), totalLayers: Number(total) };
    if (device === undefined) return;
    if (name !== undefined) this.#names.set(device, name);
    else if (!OF_MACHINE.test(device)) {
      const key = `${device} ${kind}`;
      const before = kind === 'compute' ? 0 : (this.#bytes.get(key) ?? 0);
      this.#bytes.set(key, before + Number(mib) * MiB);
    }
  }

  /** Null: the output does not tell. No layers: the model is on no card. */
  get use(): CardUse | null {
    if (this.#layers === null) return null;
    const sum = [...this.#bytes.values()].reduce((total, bytes) => total + bytes, 0);
    return { card: [...this.#names.values()].join(' + '), ...this.#layers, memoryBytes: Math.round(sum) };
  }
}
