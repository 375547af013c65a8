/**
 * Runs once before the journeys and the integration tests, of which several run at a time: the dashboard is built when it
 * is not, and the tools that install apps are made.
 */
import prepareTools from '../daemon/testing/prepare-tools.ts';
import { runProgram } from '../scripts/suites.ts';

export default async function globalSetup(): Promise<void> {
  // In a process of its own: in Vitest's, whose NODE_ENV is `test`, it would be built for development.
  const built = await runProgram('node', ['scripts/build-renderer.ts', '--if-changed'], { NODE_ENV: 'production' });
  if (built !== 0) throw new Error('The dashboard could not be built.');
  await prepareTools();
}
