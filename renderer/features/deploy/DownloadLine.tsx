import { useState } from 'react';
import type { ConsideredRecipe, ModelDownloads, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useAskAgain, useAskedOfEndpoints } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { downloadText, freeSomeText, isHere, noRoomText } from './download-text.ts';

/** The download of a recipe that would run on this machine; null: nothing is downloaded here, or it is not known yet. */
export function downloadOf(
  { fits, canInstall, offer, recipe }: ConsideredRecipe,
  downloads: ModelDownloads | null,
): RecipeDownload | null {
  const isHere = fits ? offer?.provider.vendor === 'local' : canInstall;
  return (isHere && downloads?.recipes.find(({ publicId }) => publicId === recipe.publicId)) || null;
}

interface DownloadLineProps {
  readonly repoId: string;
  readonly recipe: ConsideredRecipe;
  readonly downloads: ModelDownloads | null;
}

/** The size of the download of a deploy, and whether the disk has room for it. */
export function DownloadLine({ repoId, recipe, downloads }: DownloadLineProps) {
  const download = downloadOf(recipe, downloads);
  if (download === null || downloads === null) return null;
  return (
    <>
      <p className="muted small">{downloadText(download, downloads.disk, recipe.recipe)}</p>
      <NoRoomNote download={download} disk={downloads.disk} />
      <DownloadProblem repoId={repoId} download={download} />
    </>
  );
}

interface DownloadProblemProps {
  readonly repoId: string;
  readonly download: RecipeDownload | null;
}

/** Why the download would fail now, and what to do; nothing where nothing is known against it, or nothing is downloaded. */
export function DownloadProblem({ repoId, download }: DownloadProblemProps) {
  const askAgain = useAskAgain();
  const connected = useDashboard(isConnected);
  const [asking, setAsking] = useState(false);
  if (download === null || download.problem === null || isHere(download)) return null;
  const { message, action } = download.problem;
  async function tryAgain(): Promise<void> {
    setAsking(true);
    await askAgain(...downloadsKey(repoId));
    setAsking(false);
  }
  return (
    <Note
      tone="failed"
      title={message}
      actions={
        <SmallButton disabled={!connected} loading={asking} onClick={() => void tryAgain()}>
          Try again
        </SmallButton>
      }
    >
      <p>{action}</p>
    </Note>
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
        {freeSomeText} <a href={hrefOf('models', { tab: 'machine' })}>Model files</a>
      </p>
    </Note>
  );
}

const downloadsKey = (id: string) => ['model', id, 'downloads'];

/** Asks for the downloads of a model's recipes, and again when endpoints change: they download. Null: not known yet. */
export function useDownloads(id: string): ModelDownloads | null {
  const [author = '', model = ''] = id.split('/');
  return useAskedOfEndpoints<ModelDownloads>(downloadsKey(id), (call, signal) =>
    call('getModelDownloads', { params: { author, model }, signal }),
  ).value;
}
