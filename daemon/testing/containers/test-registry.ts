import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtempDisposable, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'tar';
import { type EngineVariant, engineImages } from './engine-images.ts';

/**
 * A registry of images on 127.0.0.1 without TLS, which has the engines of the tests under every name. Its images have one
 * layer more, of random bytes, so that an engine that knows the others has something to download.
 */
export interface TestRegistry extends AsyncDisposable {
  /** 127.0.0.1:port, for the engine's `registries`. */
  readonly host: string;
  /** The name of an image of this kind here. @param name of the repository; default: the kind's */
  image(variant: EngineVariant, name?: string): string;
  /** Gives an image a tag more, under every name, such as the vendor's. */
  tag(variant: EngineVariant, tag: string): void;
  /** How it misbehaves from now on; null: it does not. */
  misbehaviour: Misbehaviour | null;
  /** Requests so far. */
  readonly requests: readonly RegistryRequest[];
  /** How often the layer of random bytes was sent to its end. */
  readonly randomLayersSent: number;
}

interface RegistryRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
}

interface Misbehaviour {
  /** Answers every request with this status. */
  readonly status?: number;
  /** The pause before each answer, and before each piece of 1 MB; Infinity: nothing comes. */
  readonly pauseMs?: number;
  /** Closes the connection rather than send more than these bytes of a layer. */
  readonly endsAtBytes?: number;
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const CONFIG = 'application/vnd.docker.container.image.v1+json';
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar';
const PIECE_BYTES = 2 ** 20;
const RANDOM_LAYER_BYTES = 4 * PIECE_BYTES;
const LONGEST_MS = 2 ** 31 - 1;

/** @param account that clients must sign in with; null: anyone may pull */
export async function startTestRegistry(
  account: { readonly username: string; readonly password: string } | null = null,
): Promise<TestRegistry> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-test-registry-'));
  const random = await randomLayer(folder.path);
  const contents = await contentsWith(random);
  const wanted = account && `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
  const requests: RegistryRequest[] = [];
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let randomLayersSent = 0;
  const registry = {
    host,
    requests,
    misbehaviour: null as Misbehaviour | null,
    get randomLayersSent() {
      return randomLayersSent;
    },
    image: (variant: EngineVariant, name = `tests/${variant.toLowerCase()}`) => `${host}/${name}:${tagOf(variant)}`,
    tag: (variant: EngineVariant, tag: string) => {
      const tagged = contents.get(`manifests/${tagOf(variant)}`);
      if (tagged) contents.set(`manifests/${tag}`, tagged);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  const pause = () => {
    const { pauseMs = 0 } = registry.misbehaviour ?? {};
    return pauseMs > 0 ? sleep(Math.min(pauseMs, LONGEST_MS), undefined, { ref: false }) : undefined;
  };

  const answer = async ({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse) => {
    const { authorization = null } = headers;
    requests.push({ method, path: url, authorization });
    await pause();
    const status = registry.misbehaviour?.status;
    if (status !== undefined) return refuse(response, status, 'UNKNOWN');
    if (wanted !== null && authorization !== wanted) {
      response.setHeader('www-authenticate', 'Basic realm="tests"');
      return refuse(response, 401, 'UNAUTHORIZED');
    }
    if (url === '/v2/') return void response.end('{}');
    const content = contents.get(url.split('/').slice(-2).join('/'));
    if (!content) return refuse(response, 404, url.includes('/manifests/') ? 'MANIFEST_UNKNOWN' : 'NAME_UNKNOWN');
    response.writeHead(200, {
      'content-type': content.type,
      'content-length': content.sizeBytes,
      'docker-content-digest': content.digest,
    });
    if (method === 'HEAD') return void response.end();
    await send(content.pieces(), response);
    if (content.digest === random.digest && !response.destroyed) randomLayersSent += 1;
  };

  const send = async (pieces: AsyncIterable<Buffer>, response: ServerResponse) => {
    let sentBytes = 0;
    for await (const piece of pieces) {
      await pause();
      sentBytes += piece.length;
      if (response.destroyed || sentBytes > (registry.misbehaviour?.endsAtBytes ?? Infinity)) {
        return void response.destroy();
      }
      if (!response.write(piece))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    response.end();
  };
  return registry;
}

/** Something with an address in the registry. */
interface Content {
  readonly type: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly pieces: () => AsyncIterable<Buffer>;
}

const tagOf = (variant: string): string => `test-${variant}`;

/** By the end of their paths: manifests by tag and by digest, configurations and layers by digest. */
async function contentsWith(random: Content): Promise<Map<string, Content>> {
  const { configs, layer } = await engineImages();
  const shared: Content = {
    ...{ type: LAYER, digest: layer.digest, sizeBytes: (await stat(layer.file)).size },
    pieces: () => createReadStream(layer.file, { highWaterMark: PIECE_BYTES }),
  };
  const layers = [shared, random];
  const contents = new Map(layers.map((content) => [`blobs/${content.digest}`, content]));
  const described = ({ type, digest, sizeBytes }: Content) => ({ mediaType: type, size: sizeBytes, digest });
  for (const [variant, written] of Object.entries(configs)) {
    const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) };
    const config = inMemory(CONFIG, Buffer.from(JSON.stringify({ ...(JSON.parse(written) as object), rootfs })));
    const manifest = {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: described(config),
      layers: layers.map(described),
    };
    const named = inMemory(MANIFEST, Buffer.from(JSON.stringify(manifest)));
    contents.set(`blobs/${config.digest}`, config);
    contents.set(`manifests/${tagOf(variant)}`, named).set(`manifests/${named.digest}`, named);
  }
  return contents;
}

async function randomLayer(folder: string): Promise<Content> {
  await writeFile(join(folder, 'random'), randomBytes(RANDOM_LAYER_BYTES));
  return inMemory(LAYER, await buffer(create({ cwd: folder, portable: true }, ['random'])));
}

function inMemory(type: string, bytes: Buffer): Content {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  };
  return { type, digest: digestOf(bytes), sizeBytes: bytes.length, pieces };
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: `the registry of the tests says ${status}` }] }));
}
