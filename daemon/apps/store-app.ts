import { type AppHost, checkApp } from '../app-package/check-app.ts';
import { emojiOf } from '../app-package/emoji.ts';
import { readManifest } from '../app-package/manifest.ts';
import { hubPackageFiles } from '../app-package/package-files.ts';
import type { PackageFinding } from '../app-package/package-finding.ts';
import type { StoreApp, StoreAppDetail } from '../contract/apps/store.ts';
import type { HubApp } from '../hub/hub-app.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { displayText } from '../shared/display-text.ts';
import { MAX_README_BYTES, readmeOf } from './readme-text.ts';

/** The store entry of a Space, with texts that are safe to show and its install address. */
export function storeApp(hub: string, app: HubApp): StoreApp {
  const { id, commit, likes, createdAt, updatedAt } = app;
  return {
    id,
    commit,
    url: `${hub}/spaces/${id}`,
    author: displayText(app.author, 100),
    title: displayText(app.title, 80) || (id.split('/')[1] ?? id),
    description: displayText(app.description, 300),
    emoji: emojiOf(app.emoji),
    likes,
    private: app.private,
    createdAt,
    updatedAt,
  };
}

const MAX_SOURCE_BYTES = 256 * 1024;
/** Limit of files that a check reads; each is a request. */
const MAX_READS = 24;

/**
 * Checks an app on the hub as an install would, without downloading it.
 * @param host the host to run on; null while no Python is found: only the manifest is then checked
 * @throws HubError, or the reason of the signal
 */
export async function storeAppDetail(
  client: HubClient,
  id: string,
  host: AppHost | null,
  signal: AbortSignal,
): Promise<StoreAppDetail> {
  const app = await client.resolve(id, null, signal);
  const space = { type: 'space', id: app.id } as const;
  const files = await client.files(space, app.commit, signal);
  const read = (path: string, limit: number) => client.readFile(space, app.commit, path, limit, signal);
  const paths = files.map(({ path }) => path);
  const packageFiles = await hubPackageFiles(paths, read, { maxBytes: MAX_SOURCE_BYTES, reads: MAX_READS });
  const readmeFile = files.find(({ path }) => path === 'README.md');
  const { manifest, ...unreadable } = readManifest(packageFiles.pyproject, packageFiles.readme);
  const findings: readonly PackageFinding[] = host
    ? (await checkApp(packageFiles, host)).findings
    : 'problems' in unreadable
      ? unreadable.problems
      : [];
  const problems = findings.filter(({ severity }) => severity === 'problem');
  const [first, ...others] = problems;
  return {
    ...storeApp(await client.address(), app),
    readme: readmeOf(packageFiles.readme ?? '', { isWhole: (readmeFile?.size ?? 0) <= MAX_README_BYTES }),
    sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
    appName: manifest?.name ?? null,
    version: manifest?.version ?? null,
    requiresPython: manifest?.requiresPython ?? null,
    dependencies: manifest?.dependencies ?? [],
    needs: manifest?.needs ?? [],
    problems: problems.map(({ message }) => message),
    pythonDownload: others.length === 0 ? (first?.pythonDownload ?? null) : null,
  };
}
