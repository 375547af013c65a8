import type { Recipe } from '../../../daemon/contract/catalog/catalog.ts';
import type { ConsideredRecipe, ModelDownloads, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useAskedOfEndpoints } from '../../store/use-asked.ts';

/** The download of a recipe that would run on this machine; null: nothing is downloaded here, or it is not known yet. */
export function downloadOf(
  { fits, canInstall, offer, recipe }: ConsideredRecipe,
  downloads: ModelDownloads | null,
): RecipeDownload | null {
  const isHere = fits ? offer?.provider.vendor === 'local' : canInstall;
  return (isHere && downloads?.recipes.find(({ publicId }) => publicId === recipe.publicId)) || null;
}

interface DownloadLineProps {
  readonly recipe: ConsideredRecipe;
  readonly downloads: ModelDownloads | null;
}

/** The size of the download of a deploy, and whether the disk has room for it. */
export function DownloadLine({ recipe, downloads }: DownloadLineProps) {
  const download = downloadOf(recipe, downloads);
  if (download === null || downloads === null) return null;
  return (
    <>
      <p className="muted small">{downloadText(download, downloads.disk, recipe.recipe)}</p>
      <NoRoomNote download={download} disk={downloads.disk} />
      <DownloadProblem download={download} />
    </>
  );
}

/** Why the download would fail now, and what to do; nothing where nothing is known against it, or nothing is downloaded. */
export function DownloadProblem({ download }: { readonly download: RecipeDownload | null }) {
  if (download === null || download.problem === null || isHere(download)) return null;
  const { message, action } = download.problem;
  return (
    <Note tone="failed" title={message}>
      <p>{action}</p>
    </Note>
  );
}

/** Why a deploy would surely fail, in a few words; null: it may succeed. */
export const deployBlockedReason = (download: RecipeDownload | null): string | null =>
  download?.isOffline && !isHere(download) ? 'The model cannot be downloaded now.' : null;

interface NoRoomNoteProps {
  readonly download: RecipeDownload | null;
  readonly disk: ModelDownloads['disk'];
}

/** Says before a deploy that the disk is too full for it. */
export function NoRoomNote({ download, disk }: NoRoomNoteProps) {
  const text = download && noRoomText(download, disk);
  if (text === null) return null;
  return (
    <Note tone="failed" title={text}>
      <p>
        Free some first: <a href={hrefOf('models', { tab: 'machine' })}>Model files</a>
      </p>
    </Note>
  );
}

/** `5.0 GB`, `about 5.0 GB`, or `unknown`. */
export function downloadSizeText({ totalBytes, isExact }: Pick<RecipeDownload, 'totalBytes' | 'isExact'>): string {
  return totalBytes === null ? 'unknown' : `${isExact ? '' : 'about '}${byteText(totalBytes)}`;
}

/** Whether nothing is left to download. */
export const isHere = ({ missingBytes }: RecipeDownload): boolean => missingBytes === 0;

/** The download of a recipe and the free space of the disk, in a sentence or two. The size of an image is known to nobody before. */
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
      ? `Its files (${size}) are on this machine. The image of its engine is downloaded if it is missing.`
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

/** Asks for the downloads of a model's recipes, and again when endpoints change: they download. Null: not known yet. */
export function useDownloads(id: string): ModelDownloads | null {
  const [author = '', model = ''] = id.split('/');
  return useAskedOfEndpoints<ModelDownloads>(['model', id, 'downloads'], (call, signal) =>
    call('getModelDownloads', { params: { author, model }, signal }),
  ).value;
}
