import type { ConsideredRecipe, ModelDownloads, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { downloadText, noRoomText } from './download-text.ts';

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
    </>
  );
}

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
