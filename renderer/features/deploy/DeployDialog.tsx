import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { ConsideredRecipe, ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { namespaceOf } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useHasCard } from '../../store/use-graphics-cards.ts';
import { CardSwitch } from './CardSwitch.tsx';
import { cardChoice } from './card-choice.ts';
import { DeployForm } from './DeployForm.tsx';
import { DownloadProblem, downloadOf, NoRoomNote, runsHere, useDownloads } from './DownloadLine.tsx';
import { deployBlockedReason, downloadText } from './download-text.ts';
import { cardLayersText } from './fit-text.ts';
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
  return (
    <Modal opened={recipe !== null} onClose={onClose} title={`Deploy ${model.item.modelName}`} size="lg">
      {recipe && <RecipeDeploy model={model} asked={recipe} onClose={onClose} />}
    </Modal>
  );
}

interface RecipeDeployProps {
  readonly model: ModelDetail;
  readonly asked: ConsideredRecipe;
  readonly onClose: () => void;
}

function RecipeDeploy({ model, asked, onClose }: RecipeDeployProps) {
  const deploy = useDashboard((s) => s.deploy);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const namespace = useDashboard(namespaceOf);
  const hasCard = useHasCard();
  const [isSwitched, setSwitched] = useState(false);
  const choice = cardChoice(model.recipes, asked);
  const considered = (isSwitched && choice?.other) || asked;
  const downloads = useDownloads(model.item.repoId);
  const download = downloadOf(considered, downloads.value);
  const isAsked = runsHere(considered) && downloads.value === null && downloads.loading;
  const params = { recipePublicId: considered.recipe.publicId };
  function switchCard(): void {
    dismissRefusal('deploy');
    setSwitched(!isSwitched);
  }
  return (
    <div className="stack">
      <DeploySummary model={model} considered={considered} />
      {hasCard && choice && (
        <CardSwitch isOn={choice.usesCard !== isSwitched} reason={choice.reason} onSwitch={switchCard} />
      )}
      <SignInFirst>
        <DeployForm
          suggestedName={model.suggestedName}
          modelId={model.item.repoId}
          blockedReason={deployBlockedReason(download, isAsked)}
          onDeploy={(config, notifications) => deploy(considered.recipe.publicId, config, notifications)}
          onClose={onClose}
          actionOf={(config) => callAction('Deploy', 'deployCatalogRecipe', { params, body: { namespace, config } })}
        />
      </SignInFirst>
    </div>
  );
}

function DeploySummary({ model, considered }: { readonly model: ModelDetail; readonly considered: ConsideredRecipe }) {
  const { value: downloads } = useDownloads(model.item.repoId);
  const { recipe, offer, needBytes, capacityBytes, tight, reason, layers } = considered;
  const download = downloadOf(considered, downloads);
  return (
    <section aria-label="Summary">
      <dl className="facts">
        <Fact name="Recipe">
          {recipeText(recipe)}
          {recipe.ggufFile && <span className="mono recipe-file">{recipe.ggufFile}</span>}
        </Fact>
        <Fact name="Runs on">{offer?.label ?? reason}</Fact>
        {layers && <Fact name="Graphics card">{cardLayersText(layers)}</Fact>}
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
      <DownloadProblem repoId={model.item.repoId} download={download} />
    </section>
  );
}
