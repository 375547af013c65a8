import type { PullProgress } from '../container-engine.ts';

/** A line of an engine's reply to a pull. */
export interface PullEvent {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly current?: number | undefined;
  readonly total?: number | undefined;
}

interface Layer {
  readonly doneBytes: number;
  /** null: not known. */
  readonly totalBytes: number | null;
  /** Whether all bytes are here. */
  readonly isHere: boolean;
  readonly isDone: boolean;
}

/** An image has at most 127 layers. */
const MAX_LAYERS = 500;
const waiting: Layer = { doneBytes: 0, totalBytes: null, isHere: false, isDone: false };

/** Adds up the layers of an image while it is downloaded. */
export class PullLayers {
  readonly #layers = new Map<string, Layer>();

  /** @returns whether it changes the progress */
  add({ id, status, current, total }: PullEvent): boolean {
    if (id === undefined || status === undefined) return false;
    const before = this.#layers.get(id);
    const layer = next(before ?? waiting, status, current, total);
    if (layer === null || (before === undefined && this.#layers.size >= MAX_LAYERS)) return false;
    this.#layers.set(id, layer);
    return true;
  }

  get progress(): PullProgress {
    const layers = [...this.#layers.values()];
    const fetched = layers.filter(({ isDone, totalBytes }) => !isDone || totalBytes !== null);
    const hasBytes = layers.some(({ totalBytes }) => totalBytes !== null);
    const isTotalKnown = hasBytes && fetched.every(({ totalBytes }) => totalBytes !== null);
    const sum = (bytesOf: (layer: Layer) => number) => layers.reduce((all, layer) => all + bytesOf(layer), 0);
    return {
      doneBytes: hasBytes ? sum(({ doneBytes }) => doneBytes) : null,
      totalBytes: isTotalKnown ? sum(({ totalBytes }) => totalBytes ?? 0) : null,
      // Podman tells of no step after the download.
      layersDone: layers.filter(({ isDone, isHere }) => isDone || (isHere && !hasBytes)).length,
      layers: layers.length > 0 ? layers.length : null,
    };
  }
}

/** null: the line is not about a layer. */
function next(layer: Layer, status: string, current?: number, total?: number): Layer | null {
  switch (status) {
    case 'Pulling fs layer':
    case 'Waiting':
      return layer;
    case 'Downloading':
      return { ...layer, doneBytes: current ?? layer.doneBytes, totalBytes: total || layer.totalBytes };
    case 'Verifying Checksum':
    case 'Download complete':
      return { ...layer, doneBytes: layer.totalBytes ?? layer.doneBytes, isHere: true };
    case 'Extracting':
      return { ...layer, isHere: true };
    case 'Pull complete':
    case 'Already exists':
      return { ...layer, isHere: true, isDone: true };
    default:
      return null;
  }
}
