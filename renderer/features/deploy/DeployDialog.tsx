import { Modal } from '@mantine/core';
import type { ConsideredRecipe, ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import { Fact } from '../../parts/Fact.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeployForm } from './DeployForm.tsx';
import { downloadOf, downloadText, NoRoomNote, useDownloads } from './DownloadLine.tsx';
import { hourlyPriceText, recipeText } from './recipe-text.ts';
import { SignInFirst } from './SignInFirst.tsx';

interface DeployDialogProps {
  readonly model: ModelDetail;
  /** The recipe to deploy; null closes the dialog. */
  readonly recipe: ConsideredRecipe | null;
  readonly onClose: () => void;
}

/** Shows a summary and the deploy form; asks to sign in first if necessary. */
export function DeployDialog({ model, recipe, onClose }: DeployDialogProps) {
  const deploy = useDashboard((s) => s.deploy);
  return (
    <Modal opened={recipe !== null} onClose={onClose} title={`Deploy ${model.item.modelName}`} size="lg">
      {recipe && (
        <div className="stack">
          <DeploySummary model={model} considered={recipe} />
          <SignInFirst>
            <DeployForm
              suggestedName={model.suggestedName}
              modelId={model.item.repoId}
              onDeploy={(config, notifications) => deploy(recipe.recipe.publicId, config, notifications)}
              onClose={onClose}
            />
          </SignInFirst>
        </div>
      )}
    </Modal>
  );
}

function DeploySummary({ model, considered }: { readonly model: ModelDetail; readonly considered: ConsideredRecipe }) {
  const downloads = useDownloads(model.item.repoId);
  const { recipe, offer, needBytes, capacityBytes, tight, reason } = considered;
  const download = downloadOf(considered, downloads);
  return (
    <section aria-label="Summary">
      <dl className="facts">
        <Fact name="Recipe">
          {recipeText(recipe)}
          {recipe.ggufFile && <span className="mono recipe-file">{recipe.ggufFile}</span>}
        </Fact>
        <Fact name="Runs on">{offer?.label ?? reason}</Fact>
        {needBytes !== null && (
          <Fact name="Memory">
            {capacityBytes === null ? byteText(needBytes) : byteTextOf(needBytes, capacityBytes)}
            {tight && ', tight: it takes most of the memory.'}
          </Fact>
        )}
        {download && downloads && <Fact name="Download">{downloadText(download, downloads.disk, recipe)}</Fact>}
        {offer && <Fact name="Price">{hourlyPriceText(offer.pricePerHour)}</Fact>}
      </dl>
      <NoRoomNote download={download} disk={downloads?.disk ?? null} />
    </section>
  );
}
