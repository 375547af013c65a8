/** Fixtures with a real container engine for each worker, and a registry that has the vendors' images. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContainerEngine } from '../daemon/testing/containers/container-engine.ts';
import {
  containerEngineForTests,
  NO_CONTAINER_ENGINE,
} from '../daemon/testing/containers/container-engine-for-tests.ts';
import { startTestRegistry, type TestRegistry } from '../daemon/testing/containers/test-registry.ts';
import { test as withHub } from './with-hub.ts';

/** The shipped names of the engines' images. */
const IMAGES = join(import.meta.dirname, '../assets/runtimes/container-images.json');

interface Containers {
  readonly engine: TestContainerEngine;
  readonly registry: TestRegistry;
}

export const test = withHub.extend<{ containers: Containers }, { containersOrNone: Containers | null }>({
  containersOrNone: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      await using registry = await startTestRegistry();
      registry.tag('tei', await tagOf('tei:cpu'));
      await using engine = await containerEngineForTests({ insteadOf: { 'ghcr.io': registry.host } });
      await use(engine && { engine, registry });
    },
    { scope: 'worker' },
  ],
  containers: async ({ containersOrNone }, use) => {
    test.skip(containersOrNone === null, NO_CONTAINER_ENGINE);
    if (containersOrNone) await use(containersOrNone);
  },
  daemonOptions: async ({ hub, hubOptions: { name, args = [] }, containersOrNone }, use) =>
    use({ name, args: [...args, '--hub', hub.url, '--container-engine', containersOrNone?.engine.socket ?? 'none'] }),
});

/** The tag of an image that the product ships the name of. */
async function tagOf(engine: string): Promise<string> {
  const { images } = JSON.parse(await readFile(IMAGES, 'utf8')) as { images: Record<string, { image: string | null }> };
  return images[engine]?.image?.split(':').at(-1) ?? '';
}
