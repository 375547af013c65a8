import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import * as z from 'zod';
import { type CatalogItem, CatalogQuery } from '../../contract/catalog/catalog.ts';
import { ModelDeploy, RecipeDeploy } from '../../contract/endpoints/deploy.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { type Misbehaviour, misbehave } from '../fake-hub/misbehaviour.ts';

interface CatalogRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly authorization: string | null;
  readonly ifNoneMatch: string | null;
  readonly body: unknown;
}

/** A way to misbehave. */
interface CatalogMisbehaviour extends Misbehaviour {
  /** The number of affected requests; default: all. */
  readonly times?: number;
  /** Sends this answer instead. */
  readonly answer?: { readonly status: number; readonly body: unknown };
  /** Carries out the request, then breaks the connection instead of answering. */
  readonly dropsAnswer?: boolean;
}

/** A catalog service for tests, built from the real one's documentation, over real HTTP. */
export interface FakeCatalog extends AsyncDisposable {
  /** http://127.0.0.1:port/api/v1 */
  readonly base: string;
  /** The listed items. A newer service may list items that our schemas do not know. */
  items: readonly unknown[];
  readonly requests: readonly CatalogRequest[];
  /** The created endpoints, by name. */
  readonly endpoints: ReadonlyMap<string, unknown>;
  /** Sets the misbehaviour from now on; an empty object: none. */
  misbehave(how: CatalogMisbehaviour): void;
}

export interface FakeCatalogOptions {
  readonly items?: readonly unknown[];
  /** The token that may deploy. */
  readonly token?: string;
  /** Uses the hub's names for images and types instead of the specification's. */
  readonly speaksHub?: boolean;
  /** The port of an earlier service; 0: any free port. */
  readonly port?: number;
  /** Of its delays. */
  readonly clock?: Clock;
}

export const CATALOG_TOKEN = 'token-of-the-remote-catalog';

export async function startFakeCatalog(options: FakeCatalogOptions = {}): Promise<FakeCatalog> {
  const { token = CATALOG_TOKEN, speaksHub = false, port = 0, clock = systemClock } = options;
  const requests: CatalogRequest[] = [];
  const endpoints = new Map<string, unknown>();
  let items = options.items ?? [];
  let misbehaviour: CatalogMisbehaviour = {};
  let left = 0;
  const known = () => items as readonly CatalogItem[];

  const app = express();
  app.use(express.json({ limit: '64kb', strict: false }));
  app.use((req, res, next) => {
    const { method, originalUrl: path, headers } = req;
    const [authorization, ifNoneMatch] = [headers.authorization ?? null, headers['if-none-match'] ?? null];
    requests.push({ method, path, authorization, ifNoneMatch, body: req.body ?? null });
    left -= 1;
    const how = left >= 0 ? misbehaviour : {};
    if (how.dropsAnswer) res.end = () => req.socket.destroy() && res;
    if (how.answer) return void res.status(how.answer.status).json(how.answer.body);
    // Options for bodies apply to every path here.
    misbehave(clock, { only: /./, ...how }, req, res, next).catch(() => res.destroy());
  });

  app.get('/api/v1/catalog/list', (req, res) => {
    const query = CatalogQuery.safeParse(req.query);
    if (query.success) return void res.json({ items: listed(known(), query.data) });
    res.status(400).json({ error: 'Bad query', details: z.flattenError(query.error) });
  });
  app.post('/api/v1/catalog/model/:author/:model/deploy', (req, res) => {
    const body = readBody(ModelDeploy, req, res);
    const item = known().find(({ repoId }) => repoId === `${req.params.author}/${req.params.model}`);
    if (body) deploy(body, item, res);
  });
  app.post('/api/v1/catalog/recipe/:recipePublicId/deploy', (req, res) => {
    const body = readBody(RecipeDeploy, req, res);
    const item = known().find(({ recipes }) => recipes.some(({ publicId }) => publicId === req.params.recipePublicId));
    if (body) deploy(body, item, res);
  });
  const unknownPath = (_req: Request, res: Response) => void res.status(404).send('<!doctype html><p>Not here.');
  const failed: ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(error.status ?? 500).json({ error: 'Bad request', issues: [{ path: [], message: error.message }] });
  app.use(unknownPath, failed);

  function readBody<Schema extends z.ZodType>(schema: Schema, req: Request, res: Response): z.infer<Schema> | null {
    if (req.headers.authorization !== `Bearer ${token}`) {
      res.status(401).json({ error: 'Invalid token' });
      return null;
    }
    const body = schema.safeParse(req.body);
    if (body.success) return body.data;
    res.status(400).json({ error: 'Bad body', issues: body.error.issues });
    return null;
  }

  function deploy(body: ModelDeploy | RecipeDeploy, item: CatalogItem | undefined, res: Response): void {
    const name = body.config?.name ?? '';
    if (!item) return void res.status(404).json({ error: 'Model not found in the catalog' });
    if (endpoints.has(name)) {
      const issue = { code: 'custom', path: ['config', 'name'], message: 'is already used' };
      return void res.status(400).json({ error: 'Bad body', issues: [issue] });
    }
    const endpoint = endpointOf(name, item, speaksHub);
    endpoints.set(name, endpoint);
    res.json({ endpoint });
  }

  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    get items() {
      return items;
    },
    set items(next) {
      items = next;
    },
    requests,
    endpoints,
    misbehave: (how) => {
      misbehaviour = how;
      left = how.times ?? Number.POSITIVE_INFINITY;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listed(items: readonly CatalogItem[], query: CatalogQuery): CatalogItem[] {
  const { accelerator, engine, license, limit, search = '', task } = query;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (item: CatalogItem) => {
    const files = item.recipes.map(({ ggufFile = '' }) => ggufFile);
    const text = [item.repoId, item.modelName, item.authorName, item.task, item.license, ...files].join('\n');
    return (
      (task === undefined || item.task === task) &&
      (!license || item.license.toLowerCase() === license.toLowerCase()) &&
      words.every((word) => text.toLowerCase().includes(word)) &&
      ((accelerator ?? engine) === undefined ||
        item.recipes.some(
          (recipe) =>
            recipe.accelerator === (accelerator ?? recipe.accelerator) &&
            recipe.engineType === (engine ?? recipe.engineType),
        ))
    );
  };
  // Without a filter, items that no schema knows are listed too.
  const found = Object.keys(query).length === 0 ? [...items] : items.filter(isMatch);
  return found.sort(newestFirst).slice(0, limit);
}

function newestFirst(a: CatalogItem, b: CatalogItem): number {
  const [older, newer] = [String(a?.createdAt), String(b?.createdAt)];
  if (older !== newer) return older < newer ? 1 : -1;
  return String(a?.repoId) < String(b?.repoId) ? -1 : 1;
}

/** An endpoint with the real service's undocumented members. */
function endpointOf(name: string, item: CatalogItem, speaksHub: boolean): unknown {
  return {
    name,
    type: speaksHub ? 'protected' : 'authenticated',
    provider: { vendor: 'aws', region: 'us-east-1' },
    compute: {
      accelerator: 'gpu',
      instanceType: 'nvidia-l4',
      instanceSize: 'x1',
      scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, somethingNewer: 1 },
    },
    model: {
      repository: item.repoId,
      framework: 'pytorch',
      task: item.task,
      image: speaksHub
        ? { hfServe: { url: 'registry.example/serve' } }
        : { hubServe: { url: 'registry.example/serve' } },
      fromCatalog: true,
    },
    status: { state: 'somethingNewer', message: 'Waiting' },
    billing: { plan: 'somethingNewer' },
  };
}
