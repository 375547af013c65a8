import type { Recipe } from '../../../daemon/contract/catalog/catalog.ts';
import type { ModelDownloads, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';

/** `5.0 GB`, `about 5.0 GB`, or `unknown`. */
export function downloadSizeText({ totalBytes, isExact }: Pick<RecipeDownload, 'totalBytes' | 'isExact'>): string {
  return totalBytes === null ? 'unknown' : `${isExact ? '' : 'about '}${byteText(totalBytes)}`;
}

/** Whether nothing is left to download. */
export const isHere = ({ missingBytes }: RecipeDownload): boolean => missingBytes === 0;

/** The download of a recipe and the free space of the disk, in a sentence. The size of an image is known to nobody before. */
export function downloadText(
  download: RecipeDownload,
  disk: ModelDownloads['disk'],
  { engineType }: Pick<Recipe, 'engineType'>,
): string {
  const { totalBytes, missingBytes } = download;
  const needsImage = engineType !== 'llamacpp';
  if (isHere(download)) {
    const size = downloadSizeText(download);
    return needsImage
      ? `Its files (${size}) are on this machine; the image of its engine is downloaded if it is missing.`
      : `Its file (${size}) is on this machine: nothing is downloaded.`;
  }
  const image = needsImage ? ', and the image of its engine if that is missing' : '';
  const free =
    disk === null ? 'the free space of the disk is unknown' : `the disk has ${byteText(disk.freeBytes)} free`;
  if (totalBytes === null || missingBytes === null) return `The size of its download is unknown; ${free}.`;
  if (missingBytes < totalBytes) {
    return `Downloads the missing ${byteTextOf(missingBytes, totalBytes)}${image}; ${free}.`;
  }
  return `Downloads ${downloadSizeText(download)}${image}; ${free}.`;
}

/** The one thing to do about a disk that is too full for the download; null: it fits, or nobody knows. */
export function noRoomText({ lackingBytes, isExact }: RecipeDownload, disk: ModelDownloads['disk']): string | null {
  if (lackingBytes === null || lackingBytes === 0) return null;
  const place = disk === null ? 'The disk' : `The disk of ${disk.folder}`;
  return `${place} has too little space: ${isExact ? '' : 'about '}${byteText(lackingBytes)} more are needed.`;
}

/**
 * Why no deploy is offered now, in a few words; null: it may succeed.
 * @param download null: nothing is downloaded, or nothing is known of it
 * @param isAsked whether the first answer about it is awaited
 */
export function deployBlockedReason(download: RecipeDownload | null, isAsked: boolean): string | null {
  if (isAsked) return 'Asking the hub…';
  return download?.isBlocked && !isHere(download) ? 'The model cannot be downloaded now.' : null;
}

/** The downloads that fail for the same reason, one for each reason; what fails alone is told in its own row. */
export function sharedProblems(downloads: readonly RecipeDownload[]): readonly RecipeDownload[] {
  const failing = downloads.filter((download) => download.problem !== null && !isHere(download));
  const byReason = Map.groupBy(failing, ({ problem }) => problem?.message ?? '');
  return [...byReason.values()].flatMap(([first, ...others]) => (first && others.length > 0 ? [first] : []));
}

/** Before the link to the model files. */
export const freeSomeText = 'Free some first:';
