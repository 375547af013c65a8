import { createHash } from 'node:crypto';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Short files whose tests take long, the longest first. Without durations of an earlier run, vitest starts the largest files
 * first: these would start last, and one worker would still be busy with them after all others are done.
 */
export const longFiles: readonly string[] = [
  'daemon/killed-work.kills.test.ts',
  'daemon/damaged-data-folder.torture.test.ts',
  'daemon/endpoints/containers/variants.torture.test.ts',
  'daemon/testing/daemon/schemathesis.torture.test.ts',
  'daemon/assistant/publish/hub-trouble.torture.test.ts',
  'scripts/installed-deb.torture.test.ts',
  'electron/guardian/guardian.torture.test.ts',
  'scripts/tarball.torture.test.ts',
  'daemon/endpoints/containers/engine-behaviour.torture.test.ts',
  'daemon/endpoints/containers/container-life.torture.test.ts',
  'daemon/guardian/killed-models.torture.test.ts',
  'daemon/containers/docker-engine.torture.test.ts',
  'daemon/endpoints/replicas-under-load.torture.test.ts',
  'scripts/setup.torture.test.ts',
  'bench/bench.torture.test.ts',
  'daemon/robot/sdk-interrupts.torture.test.ts',
  'scripts/package.torture.test.ts',
  'daemon/apps/run/stranger-apps.torture.test.ts',
  'daemon/robot/sdk-calls/sdk-calls.torture.test.ts',
  'daemon/cli/model.torture.test.ts',
  'daemon/full-disk.torture.test.ts',
  'daemon/apps/install/install-hostile-builds.torture.test.ts',
  'daemon/apps/installed/power-lost.torture.test.ts',
  'daemon/testing/stock-hub-models.torture.test.ts',
  'daemon/cli/app/app.torture.test.ts',
  'daemon/cli/assistant/assistant.torture.test.ts',
  'daemon/cli/assistant/publish.torture.test.ts',
  'daemon/cli/endpoint/endpoint.torture.test.ts',
  'daemon/cli/token.torture.test.ts',
  'daemon/apps/run/settings-page.torture.test.ts',
  'daemon/apps/install/app-installer.torture.test.ts',
  'daemon/apps/python/python-of-app.torture.test.ts',
  'daemon/cli/foreign-text.torture.test.ts',
  'daemon/apps/startup-app.torture.test.ts',
  'scripts/dev.torture.test.ts',
];

const rankOf = (path: string): number => {
  const rank = longFiles.findIndex((file) => path.replaceAll('\\', '/').endsWith(`/${file}`));
  return rank === -1 ? longFiles.length : rank;
};

/**
 * Starts the long files before the others, which vitest orders. The variable `TEST_ORDER`, any text, gives an
 * order of its own instead, the same for the same text. A test that depends on the file before it, in the same worker, fails in some.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = process.env['TEST_ORDER'];
    if (order) return orderedBy(order, files);
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

/** @param order any text */
export function orderedBy<File extends { readonly moduleId: string }>(order: string, files: readonly File[]): File[] {
  const placeOf = ({ moduleId }: File) => createHash('sha256').update(order).update(moduleId).digest('hex');
  return files.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
}
