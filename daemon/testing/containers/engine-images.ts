import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { execa } from 'execa';
import { create } from 'tar';
import type { ImageVariant } from '../../contract/endpoints/endpoint-image.ts';
import { sharedFolder } from '../shared-folder.ts';

/** A kind of image that names an engine's container. */
export type EngineVariant = Exclude<ImageVariant, 'hub' | 'hubNeuron'>;

/** How the command lines of the engines' images begin, as their documentation says; empty: with the command alone. */
const entryPoints: Readonly<Record<EngineVariant, readonly string[]>> = {
  tgi: ['/tgi-entrypoint.sh'],
  tgiNeuron: ['/tgi-entrypoint.sh'],
  tei: ['/usr/local/bin/text-embeddings-router'],
  llamacpp: ['/app/llama-server'],
  vLLM: ['/usr/local/bin/vllm', 'serve'],
  vLLMOmni: [],
  vLLMNeuron: ['/usr/local/bin/optimum-cli', 'neuron', 'serve'],
  sGLang: ['/opt/nvidia/nvidia_entrypoint.sh'],
  hubServe: ['/usr/local/bin/serve'],
  custom: ['/usr/local/bin/custom'],
};
/** Programs that a command may name. All programs are the one server. */
const programs = ['/usr/bin/python3', '/usr/bin/python', '/usr/local/bin/sglang'];

/** The kinds that the tests have images of: all that name a container. */
export const engineVariants = Object.keys(entryPoints) as EngineVariant[];

/** The name of the image that answers like an engine of this kind, as the engine of the tests has it. */
export const engineImage = (variant: EngineVariant): string => `localhost/engine-${variant.toLowerCase()}:test`;

/** The images of the tests on the disk: one layer, and a configuration for each kind. */
export interface EngineImages {
  readonly folder: string;
  readonly layer: { readonly file: string; readonly digest: string };
  readonly configs: Readonly<Record<EngineVariant, string>>;
}

const sources = join(import.meta.dirname, 'image');

/** Makes the images, once for each machine and version of them: a layer with Node, the libraries that it needs, and the server. */
export async function engineImages(): Promise<EngineImages> {
  const folder = sharedFolder(`engine-images-${await version()}`);
  await makeOnce(folder, makeLayer);
  const digest = await readFile(join(folder, 'layer.digest'), 'utf8');
  return { folder, layer: { file: join(folder, 'layer.tar'), digest }, configs: configsOf(digest) };
}

/**
 * Makes a folder that tests share, unless it is there. Tests run in several processes: each makes a folder of its own, and
 * one of them becomes the shared one.
 */
export async function makeOnce(folder: string, make: (own: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  try {
    await make(own);
    await rename(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function version(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const files = (await readdir(sources)).sort().map((name) => join(sources, name));
  for (const file of [...files, import.meta.filename]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function makeLayer(folder: string): Promise<void> {
  const layer = join(folder, 'layer.tar');
  await fillRoot(join(folder, 'root'));
  await create({ cwd: join(folder, 'root'), file: layer, portable: true }, ['.']);
  await rm(join(folder, 'root'), { recursive: true });
  await writeFile(join(folder, 'layer.digest'), await digestOf(layer));
}

async function fillRoot(root: string): Promise<void> {
  const put = async (from: string, to: string) => {
    await mkdir(join(root, dirname(to)), { recursive: true });
    await copyFile(from, join(root, to));
  };
  await put(process.execPath, '/bin/node');
  const { stdout } = await execa('ldd', [process.execPath], { timeout: 30_000 });
  for (const [library] of stdout.matchAll(/\/\S+/g)) await put(library, library);
  await cp(sources, join(root, 'engine'), { recursive: true });
  await writeFile(join(root, 'engine', 'package.json'), '{ "type": "module" }');
  await chmod(join(root, 'engine', 'server.ts'), 0o755);
  const entered = Object.values(entryPoints).flatMap(([program = []]) => program);
  for (const program of new Set([...programs, ...entered])) {
    await mkdir(join(root, dirname(program)), { recursive: true });
    await symlink('/engine/server.ts', join(root, program));
  }
  for (const name of ['tmp', 'data', 'etc']) await mkdir(join(root, name), { mode: 0o777 });
}

function configsOf(digest: string): Record<EngineVariant, string> {
  const config = (variant: EngineVariant) => {
    const Entrypoint = entryPoints[variant];
    const Env = ['PATH=/usr/local/bin:/usr/bin:/bin', `TEST_ENGINE=${variant}`];
    return JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { Env, ...(Entrypoint.length > 0 && { Entrypoint }) },
      rootfs: { type: 'layers', diff_ids: [digest] },
    });
  };
  return Object.fromEntries(engineVariants.map((variant) => [variant, config(variant)])) as Record<
    EngineVariant,
    string
  >;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return `sha256:${hash.digest('hex')}`;
}
