import { readdir, readFile } from 'node:fs/promises';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deadline } from '../../shared/async/deadline.ts';
import type { Clock } from '../../shared/clock.ts';
import { isSystemError } from '../../shared/domain-error.ts';
import { type EngineFacts, engineFacts, engineGreeting, infoPath, type UnsuitableEngine } from './engine-facts.ts';
import { type EnginePlace, placeText } from './engine-places.ts';

/** An engine of this machine answers in milliseconds; one that its system starts at the first request, within a second. */
const ANSWER_MS = 2_000;
/** Podman runs programs to describe itself: a second, and several on a busy machine. */
const DESCRIBE_MS = 15_000;
/** The folders of the Container Device Interface, and the name that NVIDIA's tool gives to its cards there. */
const CDI_FOLDERS = ['/etc/cdi', '/var/run/cdi'];
const NVIDIA_KIND = /nvidia\.com\/gpu/;

/** The outcome of a look at a place: facts, why it cannot be used, or the code of the system's error. */
type EngineProbe = EngineFacts | UnsuitableEngine | { readonly code: string };

/** Nothing came within a limit. */
class NoAnswerInTime extends Error {}

/** Asks what answers at a place. Never rejects; takes at most 2 s if nothing does, else 17 s. */
export async function probeEngine(clock: Clock, place: EnginePlace): Promise<EngineProbe> {
  let label = `The container engine at ${placeText(place)}`;
  const ask = async (path: string, limitMs: number) => {
    using limit = deadline(clock, limitMs, () => new NoAnswerInTime());
    return await askEngine(place, path, limit.signal);
  };
  try {
    const greeting = engineGreeting((await ask('/_ping', ANSWER_MS)).headers);
    if ('problem' in greeting) return greeting;
    label = greeting.label;
    const [info, hasCdi] = await Promise.all([ask(infoPath[greeting.kind], DESCRIBE_MS), describesNvidia()]);
    return engineFacts(greeting, JSON.parse(info.text), hasCdi);
  } catch (error) {
    if (error instanceof NoAnswerInTime) return { problem: `${label} does not answer in time.`, action: 'Restart it.' };
    return { code: isSystemError(error) ? (error.code ?? 'unknown') : 'no-answer' };
  }
}

/** Whether something accepts connections at a place. Never rejects. */
export function acceptsConnections(clock: Clock, place: EnginePlace, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect('socketPath' in place ? { path: place.socketPath } : place);
    const finish = (isThere: boolean) => {
      cancel();
      socket.destroy();
      resolve(isThere);
    };
    const cancel = clock.after(limitMs, () => finish(false));
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

const MAX_REPLY_BYTES = 1024 ** 2;

/**
 * Asks an engine, without the library that runs containers: a look for an engine happens at each start of
 * the daemon, and loading the library takes tenths of a second.
 * @throws the system's error, such as ECONNREFUSED; an Error for another reply than 200; the reason of the signal
 */
function askEngine(place: EnginePlace, path: string, signal: AbortSignal) {
  return new Promise<{ headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const request = get({ ...place, path, agent, signal, headers: { host: 'localhost' } }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_REPLY_BYTES) request.destroy(new Error(`the reply to ${path} is too large`));
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${path} replied ${response.statusCode}`));
        resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    request.once('error', (error) => reject(signal.aborted ? signal.reason : error));
  });
}
