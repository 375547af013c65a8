/** Models of the shipped catalog that a test's hub has: of one that the hub lacks, no deploy is offered. */
import type { FakeHub } from '../daemon/testing/fake-hub.ts';
import type { Daemon } from './fixtures.ts';

/** Adds a model with the files of its recipes for llama.cpp. They can be downloaded, and are no models: its endpoints fail. */
export async function addCatalogModel(hub: FakeHub, daemon: Daemon, repoId: string): Promise<void> {
  const [author = '', model = ''] = repoId.split('/');
  const { recipes } = await daemon.call('getModel', { params: { author, model } });
  const names = recipes.flatMap(({ recipe: { engineType, ggufFile } }) =>
    engineType === 'llamacpp' ? [ggufFile ?? 'model.gguf'] : [],
  );
  const files = names.map((name) => [name, { lfs: Buffer.from('This is not a model.') }] as const);
  await hub.addModel({ id: repoId, files: Object.fromEntries(files) });
}
