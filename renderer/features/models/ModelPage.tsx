import { useState } from 'react';
import type { ConsideredRecipe, Fit, ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { BackLink } from '../../parts/BackLink.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted, parameters } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { PublisherTile } from '../../parts/tiles/PublisherTile.tsx';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CompareToggle } from '../compare/CompareControls.tsx';
import { DeployDialog } from '../deploy/DeployDialog.tsx';
import { useDownloads } from '../deploy/DownloadLine.tsx';
import { fitText, taskText } from '../deploy/fit-text.ts';
import { EndpointShort } from '../endpoints/EndpointShort.tsx';
import { FitSentence } from './FitSentence.tsx';
import { useEndpointsOf, useModel } from './model-queries.ts';
import { isTooLarge } from './model-text.ts';
import { RecipeTable } from './RecipeTable.tsx';
import { SpeedLine } from './SpeedLine.tsx';
import '../app/app-page.css';
import './model-page.css';
import '../app-card/app-card.css';

/** The page of one model: its facts, its recipes with the reason why each fits or not, and Deploy. */
export function ModelPage({ id }: { readonly id: string }) {
  const visited = useDashboard((s) => s.visited.models);
  const { detail, listed } = useModel(id);
  const { value: downloads } = useDownloads(id);
  const [deployed, setDeployed] = useState<ConsideredRecipe | null>(null);
  const model = detail.value;
  // The listed summary is shown at once, until the details are loaded.
  const item = model?.item ?? listed;
  const best = model?.recipes.find(({ isChosen }) => isChosen);
  return (
    <>
      <BackLink href={hrefOf('models', { query: visited })}>Catalog</BackLink>
      <PageHeader title={item?.modelName ?? id} />
      {item && (
        <section className="card app-summary" aria-label={item.repoId}>
          <div className="app-summary-line">
            <PublisherTile publisher={item.authorName} />
            <div className="app-card-names">
              <p className="mono model-id">{item.repoId}</p>
              <p>
                {taskText(item.task)}{' '}
                <span className="muted">
                  by <Foreign>{item.authorName}</Foreign>
                </span>
              </p>
            </div>
            <div className="row">
              {/* If none fits, the sentence below says why. */}
              {best?.fits && (
                <SendButton primary onClick={() => setDeployed(best)} aria-label={`Deploy ${item.modelName}`}>
                  Deploy…
                </SendButton>
              )}
              <CompareToggle repoId={item.repoId} publicId={null} name={item.modelName} />
            </div>
          </div>
          <FitLine fit={model?.fit ?? listed?.fit ?? null} task={item.task} />
          <SpeedLine speed={(model ?? listed)?.fit.speed} showsWhere />
          <ModelEndpoints repoId={item.repoId} />
        </section>
      )}
      <LoadedPart of={detail} failure={item ? 'Details could not be loaded' : 'The model could not be loaded'} rows={6}>
        {(known) => (
          <div className="stack">
            <Section title="Recipes">
              <RecipeTable
                repoId={known.item.repoId}
                recipes={known.recipes}
                downloads={downloads}
                onDeploy={setDeployed}
              />
            </Section>
            <Section title="Model details">
              <ModelFacts model={known} />
            </Section>
          </div>
        )}
      </LoadedPart>
      {model && <DeployDialog model={model} recipe={deployed} onClose={() => setDeployed(null)} />}
    </>
  );
}

function FitLine({ fit, task }: { readonly fit: Fit | null; readonly task: string }) {
  if (!fit) return null;
  const state = fitText(fit);
  // The sentence of one that fits begins with the word.
  if (state.word === 'fits') return <StateWord tone={state.tone} word={fit.sentence} lasting />;
  const query = new URLSearchParams({ task, fits: 'true' }).toString();
  return (
    <div className="fit-line">
      <StateWord {...state} lasting />
      <FitSentence fit={fit} hrefOfFitting={isTooLarge(fit) ? hrefOf('models', { query }) : undefined}>
        {fit.sentence}
      </FitSentence>
    </div>
  );
}

function ModelFacts({ model: { item, parameterCount, contextLength } }: { readonly model: ModelDetail }) {
  return (
    <dl className="facts">
      <Fact name="Repository" mono>
        {item.repoId}
      </Fact>
      <Fact name="Author">
        <Foreign>{item.authorName}</Foreign>
      </Fact>
      <Fact name="Task">{taskText(item.task)}</Fact>
      <Fact name="Licence">
        <Foreign>{item.license}</Foreign>
      </Fact>
      <Fact name="Parameters">{parameterCount === null ? 'unknown' : parameters(parameterCount)}</Fact>
      <Fact name="Context">{contextLength === null ? 'unknown' : `${contextLength.toLocaleString()} tokens`}</Fact>
      <Fact name="Added">
        <TimeAgo at={item.createdAt} />
      </Fact>
    </dl>
  );
}

/** The endpoints that serve a model, with their states; nothing while there are none. */
function ModelEndpoints({ repoId }: { readonly repoId: string }) {
  const { endpoints, matches } = useEndpointsOf(repoId);
  if (matches === 0) return null;
  const nameOf = namesForPeople(endpoints);
  return (
    <section className="model-endpoints" aria-label="Endpoints of this model">
      <p className="muted small">Deployed as</p>
      <ul>
        {endpoints.map((each) => (
          <li key={endpointKey(each)}>
            <EndpointShort ownEndpoint={each} name={nameOf(each)} />
          </li>
        ))}
      </ul>
      {matches > endpoints.length && (
        <p className="small">
          <a href={hrefOf('models', { tab: 'endpoints' })}>{counted(matches - endpoints.length, 'more endpoint')}</a>
        </p>
      )}
    </section>
  );
}
