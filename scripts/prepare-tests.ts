/**
 * Runs before the journeys and the tests of real programs, several of which run at a time: builds dist/ where it is stale,
 * prepares the tools that install apps, and finds out whether an engine can run containers. A runner of several suites calls
 * it before the first, and each suite again: then it finds dist/ fresh, and leaves out the rest, which takes seconds.
 */

import { tryContainerEngine } from '../daemon/testing/containers/container-engine-for-tests.ts';
import prepareTools from '../daemon/testing/daemon/prepare-tools.ts';
import { prepareContainerEngine } from './environment/container-engine.ts';
import { freshBuild } from './fresh-build.mjs';

/** The variable that the processes of a run inherit once the tools are there. */
const PREPARED = 'TESTS_PREPARED';

export default async function prepareTests(): Promise<void> {
  if (!freshBuild()) throw new Error('The sources could not be built.');
  if (process.env[PREPARED]) return;
  await Promise.all([prepareTools(), prepareContainerEngine().then(tryContainerEngine)]);
  process.env[PREPARED] = 'yes';
}
