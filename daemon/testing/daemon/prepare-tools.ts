/**
 * Runs once before the tests of real programs: creates the shared tools for installing apps, with a first install; uv too, where
 * it can be fetched, for which an install of a sample would not wait.
 */
import { fixtureApp, startTestDaemon } from './test-daemon.ts';

export default async function prepareTools(): Promise<void> {
  await using daemon = await startTestDaemon();
  const job = await daemon.install(fixtureApp('polite'));
  if (job.state !== 'done') throw new Error(`The tests' first install failed: ${JSON.stringify(job.failure)}`);
}
