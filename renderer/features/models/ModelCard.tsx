import type { ModelSummary } from '../../../daemon/contract/catalog/models.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { counted, parameters } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { CompareToggle } from '../compare/CompareControls.tsx';
import { fitText, taskText } from '../deploy/fit-text.ts';
import { FitSentence } from './FitSentence.tsx';
import '../app-card/app-card.css';

/** The card of a model, labelled with its repository id, since names are not unique. */
export function ModelCard({ model }: { readonly model: ModelSummary }) {
  const { repoId, modelName, authorName, task, license, parameterCount, smallestBytes, fit, recipes } = model;
  const sizes = [
    parameterCount !== null && `${parameters(parameterCount)} parameters`,
    smallestBytes !== null && `${recipes.length > 1 ? 'from ' : ''}${byteText(smallestBytes)}`,
  ].filter(Boolean);
  return (
    <li>
      <article className="stack card model-card" aria-label={repoId}>
        <header className="app-card-head">
          <div className="app-card-names">
            <h2>
              <ForeignLink href={hrefOf('models', { modelId: repoId })}>{modelName}</ForeignLink>
            </h2>
            <p className="muted small mono" title={repoId}>
              {repoId}
            </p>
          </div>
          <StateWord {...fitText(fit)} lasting />
        </header>
        <p>
          {taskText(task)}{' '}
          <span className="muted">
            by <Foreign>{authorName}</Foreign>
          </span>
        </p>
        <FitSentence fit={fit}>{fit.sentence}</FitSentence>
        <p className="muted small model-card-meta">
          <span>{sizes.join(' · ') || 'size unknown'}</span>
          <span>
            <Foreign>{license}</Foreign> · {counted(recipes.length, 'recipe')}
          </span>
        </p>
        <CompareToggle repoId={repoId} publicId={null} name={modelName} />
      </article>
    </li>
  );
}
