import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Short files whose tests take long, the longest first. Without durations of an earlier run, vitest starts the largest files
 * first: these would start last, and one worker would still be busy with them after all others are done.
 */
export const longFiles: readonly string[] = [
  'daemon/apps/daemon-killed.kills.test.ts',
  'daemon/damaged-data-folder.integration.test.ts',
  'daemon/endpoints/containers/variants.integration.test.ts',
  'daemon/testing/daemon/schemathesis.integration.test.ts',
  'daemon/assistant/publish/hub-trouble.integration.test.ts',
  'scripts/installed-deb.integration.test.ts',
  'electron/guardian/guardian.integration.test.ts',
  'scripts/tarball.integration.test.ts',
  'daemon/endpoints/containers/engine-behaviour.integration.test.ts',
  'daemon/assistant/publish/publication-killed.kills.test.ts',
  'daemon/endpoints/containers/container-life.integration.test.ts',
  'daemon/containers/engine/docker-engine.integration.test.ts',
  'daemon/endpoints/containers/containers-killed.kills.test.ts',
  'daemon/endpoints/replicas-under-load.integration.test.ts',
  'scripts/setup.integration.test.ts',
  'bench/bench.integration.test.ts',
  'daemon/robot/sdk-interrupts.integration.test.ts',
  'scripts/package.integration.test.ts',
  'daemon/apps/run/stranger-apps.integration.test.ts',
  'daemon/robot/sdk-calls/sdk-calls.integration.test.ts',
  'daemon/cli/model.integration.test.ts',
  'daemon/full-data-folder.integration.test.ts',
  'daemon/apps/install/install-hostile-builds.integration.test.ts',
  'daemon/endpoints/endpoint-life.kills.test.ts',
  'daemon/apps/installed/power-lost.integration.test.ts',
  'daemon/testing/stock-hub-models.integration.test.ts',
  'daemon/cli/app/app.integration.test.ts',
  'daemon/cli/assistant/assistant.integration.test.ts',
  'daemon/cli/assistant/publish.integration.test.ts',
  'daemon/cli/endpoint/endpoint.integration.test.ts',
  'daemon/cli/token.integration.test.ts',
  'daemon/apps/run/settings-page.integration.test.ts',
  'daemon/apps/install/app-installer.integration.test.ts',
  'daemon/apps/python/python-of-app.integration.test.ts',
  'daemon/cli/foreign-text.integration.test.ts',
  'daemon/apps/startup-app.integration.test.ts',
  'scripts/dev.integration.test.ts',
];

const rankOf = (path: string): number => {
  const rank = longFiles.findIndex((file) => path.replaceAll('\\', '/').endsWith(`/${file}`));
  return rank === -1 ? longFiles.length : rank;
};

/** Starts the long files before the others, which vitest orders. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}
