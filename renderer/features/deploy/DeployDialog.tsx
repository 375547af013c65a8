import { Modal } from '@mantine/core';
import type { ConsideredRecipe, ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { Fact } from '../../parts/Fact.tsx';
import { bytes, bytesOf } from '../../parts/format.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeployForm } from './DeployForm.tsx';
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
    <Modal
      opened={recipe !== null}
      onClose={onClose}
      title={`Deploy ${model.item.modelName}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      {recipe && (
        <div className="stack">
          <DeploySummary recipe={recipe} />
          <SignInFirst>
            <DeployForm
              suggestedName={model.suggestedName}
              modelId={model.item.repoId}
              onDeploy={(config) => deploy(recipe.recipe.publicId, config)}
              onClose={onClose}
            />
          </SignInFirst>
        </div>
      )}
    </Modal>
  );
}

function DeploySummary({
  recipe: { recipe, offer, needBytes, capacityBytes, tight, reason },
}: {
  readonly recipe: ConsideredRecipe;
}) {
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
            {capacityBytes === null ? bytes(needBytes) : bytesOf(needBytes, capacityBytes)}
            {tight && ', tight: it takes most of the memory.'}
          </Fact>
        )}
        {offer && <Fact name="Price">{hourlyPriceText(offer.pricePerHour)}</Fact>}
      </dl>
    </section>
  );
}
