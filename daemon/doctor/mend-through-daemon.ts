import { setTimeout as sleep } from 'node:timers/promises';
import { Job } from '../contract/jobs.ts';
import { operations } from '../contract/operations.ts';
import type { Finding, Mended } from './finding.ts';

const ANSWER_WITHIN_MS = 30_000;
const INSTALL_WITHIN_MS = 60 * 60_000;

/** What only a daemon can mend, or what must go through the one that runs. */
export async function mendThroughDaemon(findings: readonly Finding[], url: string): Promise<Mended[]> {
  const mended: Mended[] = [];
  for (const { code, where, fix } of findings) {
    try {
      const what =
        fix.kind === 'install-again'
          ? await installAgain(url, fix.url)
          : fix.kind === 'use-previous'
            ? await rollBack(url, fix.appName)
            : null;
      const done = what !== null;
      mended.push({ code, where, done, what: what ?? 'Not while the daemon runs: robot-daemon stop, then again.' });
    } catch (error) {
      mended.push({ code, where, done: false, what: `It could not be mended: ${(error as Error).message}` });
    }
  }
  return mended;
}

async function installAgain(url: string, address: string): Promise<string> {
  let job = Job.parse(await ask(url, 'POST', operations.installApp.path, { url: address }));
  const end = performance.now() + INSTALL_WITHIN_MS;
  while (job.endedAt === null) {
    if (performance.now() > end) throw new Error('the install did not end.');
    await sleep(200);
    job = Job.parse(await ask(url, 'GET', operations.getJob.path.replace('{jobId}', encodeURIComponent(job.id))));
  }
  if (job.state === 'done') return `Installed again from ${address}.`;
  throw new Error(job.failure ? `${job.failure.message} ${job.failure.action}` : `the install was ${job.state}.`);
}

async function rollBack(url: string, appName: string): Promise<string> {
  await ask(url, 'POST', operations.rollBackApp.path.replace('{appName}', encodeURIComponent(appName)));
  return `${appName} is back at its version before.`;
}

/** @throws Error with what the daemon refuses it with */
async function ask(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const answer = (await response.json()) as { error?: unknown };
  if (response.ok) return answer;
  throw new Error(typeof answer.error === 'string' ? answer.error : `the daemon answered ${response.status}.`);
}
