import { mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { create } from 'tar';
import { type EngineVariant, engineImage, engineImages, makeOnce } from './engine-images.ts';
import { programFolders } from './engine-settings.ts';

const LOAD_MS = 120_000;

/**
 * The images of the tests in a store of Podman, made once for each machine and version of them. All engines of the tests read
 * it, since a copy for each takes seconds and 130 MB.
 * @returns its folder
 */
export async function imageStore(): Promise<string> {
  const folder = join((await engineImages()).folder, 'store');
  await makeOnce(folder, fillStore);
  return folder;
}

async function fillStore(store: string): Promise<void> {
  const { folder, configs } = await engineImages();
  await using work = await mkdtempDisposable(join(tmpdir(), 'robot-test-image-store-'));
  const inWork = (name: string) => join(work.path, name);
  const parts = Object.entries(configs).map(([variant, config]) => ({ variant, config, name: `${variant}.json` }));
  await Promise.all(parts.map(({ name, config }) => writeFile(inWork(name), config)));
  const manifest = parts.map(({ variant, name }) => ({
    ...{ Config: name, RepoTags: [engineImage(variant as EngineVariant)], Layers: ['layer.tar'] },
  }));
  await writeFile(inWork('manifest.json'), JSON.stringify(manifest));
  await symlink(join(folder, 'layer.tar'), inWork('layer.tar'));
  const packed = ['manifest.json', ...parts.map(({ name }) => name), 'layer.tar'];
  await create({ cwd: work.path, file: inWork('images.tar'), follow: true, portable: true }, packed);
  const env = { PATH: programFolders().join(delimiter), HOME: work.path, CONTAINERS_CONF: devNull };
  const folders = ['--root', store, '--runroot', inWork('run'), '--tmpdir', inWork('tmp')];
  const load = [...folders, '--storage-driver', 'overlay', 'load', '--quiet', '--input', inWork('images.tar')];
  await execa('podman', load, { env, extendEnv: false, stdin: 'ignore', timeout: LOAD_MS });
}
