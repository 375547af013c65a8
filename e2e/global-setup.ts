/**
 * Runs once before the journeys and the integration tests, of which several run at a time: the dashboard is built when it
 * is not, and the tools that install apps are made.
 */
import prepareTools from '../daemon/testing/prepare-tools.ts';
import { buildRenderer } from '../scripts/build-renderer.ts';

export default async function globalSetup(): Promise<void> {
  await buildRenderer();
  await prepareTools();
}
