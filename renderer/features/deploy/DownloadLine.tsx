import { useState } from 'react';
import type { ConsideredRecipe, ModelDownloads, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { type Asked, useAskAgain, useAskedOfEndpoints } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { downloadText, freeSomeText, isHere, noRoomText } from './download-text.ts';

/** Whether a deploy of a recipe would download it to this machine, unless it is here. */
export const runsHere = ({ fits, canInstall, offer }: ConsideredRecipe): boolean =>
  fits ? offer?.provider.vendor === 'local' : canInstall;

/** The download of a recipe that would run on this machine; null: nothing is downloaded here, or it is not known yet. */
export function downloadOf(considered: ConsideredRecipe, downloads: ModelDownloads | null): RecipeDownload | null {
  const { publicId } = considered.recipe;
  return (runsHere(considered) && downloads?.recipes.find((each) => each.publicId === publicId)) || null;
}

interface DownloadLineProps {
  readonly repoId: string;
  readonly recipe: ConsideredRecipe;
  readonly downloads: ModelDownloads | null;
  /** The problems that are shown elsewhere, for several recipes. */
  readonly told: readonly RecipeDownload[];
}

/** The size of the download of a deploy, whether the disk has room for it, and why it would fail now. */
export function DownloadLine({ repoId, recipe, downloads, told }: DownloadLineProps) {
  const download = downloadOf(recipe, downloads);
  if (download === null || downloads === null) return null;
  const isTold = told.some(({ problem }) => problem?.message === download.problem?.message);
  return (
    <>
      <p className="muted small">{downloadText(download, downloads.disk, recipe.recipe)}</p>
      <NoRoomNote download={download} disk={downloads.disk} />
      {!isTold && <DownloadProblem repoId={repoId} download={download} />}
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

/** Asks for the downloads of a model's recipes, and again when endpoints change: they download. */
export function useDownloads(id: string): Asked<ModelDownloads> {
  const [author = '', model = ''] = id.split('/');
  return useAskedOfEndpoints<ModelDownloads>(downloadsKey(id), (call, signal) =>
    call('getModelDownloads', { params: { author, model }, signal }),
  );
}
