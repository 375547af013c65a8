import type { CheckFinding, CheckReport, OwnApp, PublicationPreview } from '../../daemon/contract/apps/own-apps.ts';
import type { Job } from '../../daemon/contract/jobs.ts';
import { installJob, moment } from './fixtures.ts';

export const ownAppId = '0123456789abcdef';

/** A valid app in its folder, which neither runs nor was checked or published. */
export function ownApp(change: Partial<OwnApp> = {}): OwnApp {
  return {
    id: ownAppId,
    folder: '/home/me/robot-apps/my_first_app',
    name: 'my_first_app',
    title: 'My first app',
    version: '0.1.0',
    emoji: '🤖',
    icon: null,
    exists: true,
    check: null,
    run: ownRun(),
    space: null,
    ...change,
  };
}

export function ownRun(change: Partial<OwnApp['run']> = {}): OwnApp['run'] {
  return { state: 'off', jobId: null, reloads: 0, problem: null, findings: [], ...change };
}

export const ownAppsOf = (apps: readonly OwnApp[], canOpen = true) => ({
  apps: [...apps],
  proposedFolder: '/home/me/robot-apps',
  canOpen,
});

export function finding(change: Partial<CheckFinding> = {}): CheckFinding {
  return {
    id: 'no-tag',
    severity: 'warning',
    message: 'README.md has no tag robot_python_app, so the store does not list the app.',
    action: 'Add the tag to the front matter.',
    file: 'README.md',
    line: 1,
    fixable: true,
    ...change,
  };
}

export function checkReport(findings: readonly CheckFinding[] = [], change: Partial<CheckReport> = {}): CheckReport {
  return { checkedAt: moment, built: true, findings: [...findings], ...change };
}

export function publishedSpace(change: Partial<NonNullable<OwnApp['space']>> = {}): NonNullable<OwnApp['space']> {
  return {
    id: 'me/my_first_app',
    url: 'https://hub.test/spaces/me/my_first_app',
    private: true,
    version: '0.1.0',
    publishedAt: moment,
    ...change,
  };
}

/** The first publication, of two files. */
export function publicationPreview(change: Partial<PublicationPreview> = {}): PublicationPreview {
  return {
    account: 'me',
    id: 'me/my_first_app',
    url: 'https://hub.test/spaces/me/my_first_app',
    exists: false,
    private: null,
    publishedVersion: null,
    nextVersion: '0.1.0',
    changes: [
      { path: 'README.md', change: 'added', bytes: 1_200 },
      { path: 'my_first_app/main.py', change: 'added', bytes: 2_300 },
    ],
    changedElsewhere: false,
    ...change,
  };
}

/** A job that checks or publishes the app. */
export function ownAppWork(kind: 'check-app' | 'publish-app', change: Partial<Job> = {}): Job {
  const { folder, name } = ownApp();
  return installJob(kind, { kind, subject: folder, appName: name, detail: null, logTail: [], ...change });
}
