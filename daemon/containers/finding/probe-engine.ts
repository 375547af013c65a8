import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deadline } from '../../shared/async/deadline.ts';
import { isSystemError } from '../../shared/system-error.ts';
import { askEngine } from './ask-engine.ts';
import {
  type EngineFacts,
  engineFacts,
  InfoReply,
  isPodmanEngine,
  LibpodReply,
  type UnsuitableEngine,
  VersionReply,
} from './engine-facts.ts';
import type { EnginePlace } from './engine-places.ts';

/** Podman runs programs of its own to describe itself, which took 4 s on two processors that were busy. */
const ANSWER_MS = 8_000;
/** The folders of the Container Device Interface, and the name that NVIDIA's tool gives to its cards there. */
const CDI_FOLDERS = ['/etc/cdi', '/var/run/cdi'];
const NVIDIA_KIND = /nvidia\.com\/gpu/;

/** The outcome of a look at a place: facts, why it cannot be used, or the code of the system's error. */
export type EngineProbe = EngineFacts | UnsuitableEngine | { readonly code: string };

/** Asks what answers at a place. Never rejects; takes at most 8 s. */
export async function probeEngine(place: EnginePlace): Promise<EngineProbe> {
  using limit = deadline(ANSWER_MS, () => new Error('no answer in time'));
  const ask = (path: string) => askEngine(place, path, limit.signal);
  try {
    const version = VersionReply.parse(await ask('/version'));
    const [info, libpod, hasCdi] = await Promise.all([
      ask('/info').then((reply) => InfoReply.parse(reply)),
      isPodmanEngine(version) ? ask(`/v${LIBPOD_API}/libpod/info`).then(libpodReply, () => null) : null,
      describesNvidia(),
    ]);
    return engineFacts({ version, info, libpod, hasCdi });
  } catch (error) {
    return { code: isSystemError(error) ? (error.code ?? 'unknown') : 'no-answer' };
  }
}

/** Any version of Podman since 4 answers to it. */
const LIBPOD_API = '4.0.0';
const libpodReply = (reply: unknown) => LibpodReply.safeParse(reply).data ?? null;

/** Whether something accepts connections at a place. Never rejects. */
export function acceptsConnections(place: EnginePlace, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect('socketPath' in place ? { path: place.socketPath } : place);
    const finish = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(limitMs, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

async function describesNvidia(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const names = await Promise.all(
    CDI_FOLDERS.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  const texts = await Promise.all(names.flat().map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.some((text) => NVIDIA_KIND.test(text));
}
