/** Runs once before the tests of real programs: creates the shared tools for installing apps, with a first install. */
import { sampleApp, startTestDaemon } from './test-daemon.ts';

export default async function prepareTools(): Promise<void> {
  await using daemon = await startTestDaemon();
  const job = await daemon.install(sampleApp('hello_wave'));
  if (job.state !== 'done') throw new Error(`The tests' first install failed: ${JSON.stringify(job.failure)}`);
}
