import type { PublishDeps } from '../../assistant/publish/publish-app.ts';

/** A check that finds nothing, for tests of what comes after it. */
export const passingCheck: Pick<PublishDeps, 'check' | 'fix'> = {
  check: async () => ({ checkedAt: new Date(0).toISOString(), built: false, findings: [] }),
  fix: async () => [],
};
