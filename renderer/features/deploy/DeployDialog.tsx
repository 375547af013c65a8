import { Modal } from '@mantine/core';
import type { ConsideredRecipe, ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { Fact } from '../../parts/Fact.tsx';
import { bytes, bytesOf } from '../../parts/format.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { DeployForm } from './DeployForm.tsx';
import { hourlyPriceText, recipeText } from './recipe-text.ts';

interface DeployDialogProps {
  readonly model: ModelDetail;
  /** The recipe to deploy; null closes the dialog. */
  readonly recipe: ConsideredRecipe | null;
  readonly onClose: () => void;
}

/** Shows a summary and the deploy form; asks to sign in first if necessary. */
export function DeployDialog({ model, recipe, onClose }: DeployDialogProps) {
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
          <SignInOrDeploy model={model} recipe={recipe} onClose={onClose} />
        </div>
      )}
    </Modal>
  );
}

function SignInOrDeploy({ model, recipe, onClose }: DeployDialogProps & { readonly recipe: ConsideredRecipe }) {
  const loadSession = useDashboard((s) => s.loadSession);
  const session = useDashboard((s) => s.session);
  const signedIn = useDashboard(isSignedIn);
  useWhenConnected(loadSession, '');
  if (session?.state === 'failed' && signedIn === null) {
    return (
      <FailedNote
        error={session.error}
        title="Your permission to deploy could not be checked"
        onRetry={() => void loadSession()}
      />
    );
  }
  if (signedIn === null) return <Skeleton rows={4} />;
  return signedIn ? (
    <DeployForm model={model} recipe={recipe} onClose={onClose} />
  ) : (
    <section className="stack" aria-labelledby="deploy-sign-in">
      <h3 id="deploy-sign-in">Sign in to deploy</h3>
      <SignInForm />
    </section>
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
