import { spaceAt } from '../assistant/publish/space-id.ts';
import type { AppSource, RequestedSource } from '../contract/apps/app-source.ts';

/**
 * Whether two sources are of the same app: an author's folder, and the Space that it is published as. A Space of somebody
 * else with the same app name is another app.
 * @param publishedAt the addresses of the Spaces that a folder is published as
 */
export async function isSameApp(
  installed: AppSource,
  wanted: RequestedSource,
  publishedAt: (folder: string) => Promise<readonly string[]>,
): Promise<boolean> {
  const sources: readonly RequestedSource[] = [installed, wanted];
  const folder = sources.find((source) => source.kind === 'folder');
  const space = sources.find((source) => source.kind === 'space');
  if (!folder || !space || space.subdirectory !== undefined) return false;
  const addresses = await publishedAt(folder.path);
  // Names on the hub ignore case.
  return addresses.some((address) => spaceAt(address, space.hub)?.toLowerCase() === space.id.toLowerCase());
}
