/**
 * Runs once before the journeys and the tests of real programs, several of which run at a time: builds dist/ where it is stale,
 * prepares the tools that install apps, and finds out whether an engine can run containers.
 */
import { tryContainerEngine } from '../daemon/testing/containers/container-engine-for-tests.ts';
import prepareTools from '../daemon/testing/daemon/prepare-tools.ts';
import { prepareContainerEngine } from '../scripts/environment/container-engine.ts';
import { freshBuild } from '../scripts/fresh-build.mjs';

export default async function globalSetup(): Promise<void> {
  if (!freshBuild()) throw new Error('The sources could not be built.');
  await Promise.all([prepareTools(), prepareContainerEngine().then(tryContainerEngine)]);
}
