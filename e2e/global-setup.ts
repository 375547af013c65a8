/**
 * Runs once before the journeys and the integration tests, of which several run at a time: what they run is built when it is
 * not, and the tools that install apps are made.
 */
import prepareTools from '../daemon/testing/daemon/prepare-tools.ts';
import { freshBuild } from '../scripts/fresh-build.mjs';

export default async function globalSetup(): Promise<void> {
  if (!freshBuild()) throw new Error('The sources could not be built.');
  await prepareTools();
}
