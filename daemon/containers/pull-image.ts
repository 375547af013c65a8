import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Clock } from '../shared/clock.ts';
import { LineSplitter } from '../shared/processes/line-splitter.ts';
import type { PullProgress, RegistryAccount } from './container-engine.ts';
import { type EngineClient, EngineRefused } from './engine-client.ts';
import { pullFailure, registryOf, stalledPull } from './pull-failure.ts';

/** A line of the reply. A failure comes in a reply with the status 200, too. */
const PullLine = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).nullish().catch(null),
  error: z.string().optional(),
  errorDetail: z.object({ message: z.string() }).optional(),
});
export type PullLine = z.infer<typeof PullLine>;

export interface PullOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
  /** The longest time in which nothing comes, in milliseconds. */
  readonly stallMs: number;
}

/**
 * Downloads an image. The end of the connection, by an abort too, ends the download in the engine.
 * @throws ImagePullFailed, ContainerEngineGone, the reason of the signal
 */
export async function pullImage(
  client: EngineClient,
  image: string,
  account: RegistryAccount | null,
  { clock, signal, onProgress, stallMs }: PullOptions,
): Promise<void> {
  const stalled = new AbortController();
  let cancelLimit = () => {};
  const limit = () => {
    cancelLimit();
    cancelLimit = clock.after(stallMs, () => stalled.abort(stalledPull(image, stallMs)));
  };
  limit();
  const either = AbortSignal.any([signal, stalled.signal]);
  try {
    const reply = await client.stream(either, (docker, abortSignal) =>
      docker.pull(image, { abortSignal, ...(account && { authconfig: authOf(image, account) }) }),
    );
    const layers = new PullLayers();
    const failure = await readLines(reply, (line) => {
      limit();
      if (layers.add(line)) onProgress(layers.progress);
    });
    either.throwIfAborted();
    if (failure !== null) throw pullFailure(image, failure, account);
  } catch (error) {
    throw error instanceof EngineRefused ? pullFailure(image, error.message, account) : error;
  } finally {
    cancelLimit();
    stalled.abort();
  }
}

/** @returns the text of the failure in the reply; null: none */
async function readLines(reply: Readable, onLine: (line: PullLine) => void): Promise<string | null> {
  let failure: string | null = null;
  let isWhole = false;
  const lines = new LineSplitter((text) => {
    const line = parsed(text);
    if (line === null) return;
    onLine(line);
    failure ??= line.errorDetail?.message ?? line.error ?? null;
  });
  reply.on('data', (chunk: Buffer) => lines.write(chunk));
  reply.once('end', () => {
    isWhole = true;
  });
  await new Promise((resolve) => reply.once('close', resolve));
  lines.end();
  return failure ?? (isWhole ? null : 'the connection to the container engine broke off');
}

function parsed(text: string): PullLine | null {
  try {
    return PullLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // A failure may quote a page of a proxy, and be longer than a line is kept.
    return text.includes('"errorDetail"') ? { error: text } : null;
  }
}

function authOf(image: string, { username, password }: RegistryAccount) {
  return { username, password, serveraddress: registryOf(image) };
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
  add({ id, status, progressDetail }: PullLine): boolean {
    if (id === undefined || status === undefined) return false;
    const { current, total } = progressDetail ?? {};
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
      // Podman reports no step after the download.
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
