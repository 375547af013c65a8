import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { ComputeOffer } from '../catalog/compute/compute-offer.ts';
import { CatalogItemNotFound, RecipeNotFound } from '../catalog/errors.ts';
import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import type { MeasuredMemory } from '../catalog/selection/measured-memory.ts';
import { fitOf } from '../catalog/selection/model-fit.ts';
import { selectOffer, selectRecipe } from '../catalog/selection/recipe-selection.ts';
import type { Chosen } from '../catalog/selection/selection.ts';
import { noCompatibleCompute, recipeNotFound } from '../catalog/selection/selection-reasons.ts';
import type { DeployConfig, ModelDeploy, RecipeDeploy, RemoteEndpoint } from '../contract/endpoints/deploy.ts';
import type { RepositoryDeploy } from '../contract/operations/catalog-operations.ts';
import { buildFromCatalog, type DeployChoices, deployChoices } from './description/endpoint-builder.ts';
import { generateName } from './description/endpoint-name.ts';
import { checked, under } from './description/problems.ts';
import { type EndpointCaller, mayUse, personOf } from './endpoint-caller.ts';
import type { Endpoints } from './endpoints.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';

interface DeployerDeps {
  readonly catalog: Pick<ChosenCatalog, 'load' | 'client'>;
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  readonly measured: () => MeasuredMemory;
  /** Measures what is free on the graphics cards, for the next offers. Never rejects. */
  readonly measureCards: () => Promise<unknown>;
  readonly endpoints: Endpoints;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
}

/** An endpoint of this daemon, or the remote service's own description of one that it created. */
export type Deployment =
  | { readonly isRemote: false; readonly endpoint: StoredEndpoint }
  | { readonly isRemote: true; readonly endpoint: RemoteEndpoint };

/**
 * Creates endpoints from the catalog's models: validates the request, looks up the model, then selects compute. With a
 * remote catalog, the remote service looks up the model and creates the endpoint.
 */
export class Deployer {
  readonly #deps: DeployerDeps;

  constructor(deps: DeployerDeps) {
    this.#deps = deps;
  }

  /**
   * Deploys a model with the recipe and the compute that suit it best.
   * @throws InvalidBody, CatalogItemNotFound, RecipeNotFound, NoCompatibleCompute, CatalogUnavailable,
   * RemoteCatalogFailed
   */
  async deployModel(author: string, model: string, wanted: ModelDeploy, caller: EndpointCaller): Promise<Deployment> {
    const { catalog, offers, measured, measureCards } = this.#deps;
    const choices = await this.#choices(wanted, caller);
    const { client } = catalog;
    if (client) {
      const name = this.#newName(wanted.namespace, model);
      const { endpoint } = await client.deploy(['model', author, model], wanted, name);
      return { isRemote: true, endpoint };
    }
    const entry = (await catalog.load()).find(author, model);
    if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
    if (wanted.accelerator !== 'cpu') await measureCards();
    const selection = selectRecipe(entry, wanted, await offers(), measured());
    if (selection.outcome === 'no-recipe') throw recipeNotFound(entry, selection);
    if (selection.outcome === 'nothing-fits') throw noCompatibleCompute(selection);
    const mayUseProcessor = wanted.accelerator === undefined;
    return this.#create(entry, selection, { ...choices, mayUseProcessor }, wanted.namespace, caller);
  }

  /** Deploys one recipe on the compute that suits it best. @throws the errors of `deployModel` */
  async deployRecipe(publicId: string, wanted: RecipeDeploy, caller: EndpointCaller): Promise<Deployment> {
    const { catalog, offers, measured, measureCards } = this.#deps;
    const choices = await this.#choices(wanted, caller);
    const { client } = catalog;
    if (client) {
      const name = this.#newName(wanted.namespace, publicId);
      const { endpoint } = await client.deploy(['recipe', publicId], wanted, name);
      return { isRemote: true, endpoint };
    }
    const found = (await catalog.load()).findRecipe(publicId);
    if (!found) throw new RecipeNotFound(`The catalog has no recipe "${publicId.slice(0, 200)}".`);
    await measureCards();
    const selection = selectOffer(found.entry, found.recipe, await offers(), measured());
    if (selection.outcome === 'nothing-fits') throw noCompatibleCompute(selection);
    return this.#create(found.entry, selection, { ...choices, mayUseProcessor: true }, wanted.namespace, caller);
  }

  /** `deployModel` with the request of older clients. */
  deployRepository(wanted: RepositoryDeploy, caller: EndpointCaller): Promise<Deployment> {
    const { namespace, repoId, endpointName, accelerator } = wanted;
    const [author = '', model = ''] = repoId.split('/');
    const config = endpointName ? { config: { name: endpointName } } : {};
    return this.deployModel(author, model, { namespace, ...(accelerator ? { accelerator } : {}), ...config }, caller);
  }

  /** A name for an endpoint of a model that is free in every namespace. */
  async suggestedName(model: string): Promise<string> {
    const { endpoints, random } = this.#deps;
    await endpoints.load();
    const isTaken = (name: string) => endpoints.records.some(({ endpoint }) => endpoint.name === name);
    return generateName(model, random, isTaken);
  }

  #newName(namespace: string, model: string): string {
    const { endpoints, random } = this.#deps;
    return generateName(model, random, endpoints.takenIn(namespace));
  }

  async #choices(wanted: { namespace: string; config?: DeployConfig | undefined }, caller: EndpointCaller) {
    const { endpoints, catalog } = this.#deps;
    await endpoints.load();
    const isTaken = catalog.client ? () => false : endpoints.takenIn(wanted.namespace); // a remote service knows its own names
    return checked((addIssue) => {
      if (!mayUse(caller, wanted.namespace))
        addIssue(['namespace'], `The token is not for the namespace "${wanted.namespace}".`);
      return deployChoices(wanted.config ?? {}, isTaken, under(addIssue, 'config'));
    });
  }

  async #create(
    entry: CatalogEntry,
    selection: Chosen,
    choices: DeployChoices & { readonly mayUseProcessor: boolean },
    namespace: string,
    caller: EndpointCaller,
  ): Promise<Deployment> {
    const { recipe, offer, ctxSize, tensorParallelSize } = selection;
    // No await between generating the name and taking it: no other deploy can get the same.
    const name = choices.name ?? this.#newName(namespace, entry.item.modelName);
    const endpoint = await this.#deps.endpoints.create({
      namespace,
      parts: buildFromCatalog({ entry, recipe, offer, choices, name, ctxSize, tensorParallelSize }),
      person: personOf(caller),
      reasons: [fitOf(selection).sentence],
      mayUseProcessor: choices.mayUseProcessor,
      namePath: ['config', 'name'],
    });
    return { isRemote: false, endpoint };
  }
}
