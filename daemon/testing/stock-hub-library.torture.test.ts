/** Runs the hub's library with endpoints that a test runner starts or lets fail. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import { cpuOffer, measureHost } from '../catalog/compute/this-machine.ts';
import { EndpointManagement } from '../endpoints/endpoint-management.ts';
import type { EndpointEvent } from '../endpoints/states/endpoint-lifecycle.ts';
import { problemHandler } from '../http/problem.ts';
import { endpointRoutes } from '../http/routes/endpoint-routes.ts';
import { serve } from '../http/routes/serve-operations.ts';
import { authentication } from '../http/security/authentication.ts';
import { systemNow } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { type CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { endpointsIn, noProcesses } from './models/some-endpoints.ts';
import { pythonFromIndex } from './python/python-from-index.ts';

test.skipIf(process.platform === 'win32')(
  'the stock library creates endpoints, waits until they run, and reports failures and timeouts',
  async (context) => {
    const env = childEnvironment(process.env, randomUUID());
    const client = await pythonFromIndex('hub-client', env);
    if ('missing' in client) {
      console.warn(`SKIPPED: the hub's own library cannot be had: ${client.missing}`);
      return context.skip(client.missing);
    }
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));

    const asked: { url: string | undefined; authorization: string | undefined }[] = [];
    const { app, token, failures } = await serviceThatRuns(folder, {
      runs: { type: 'replicas', ready: 1, target: 1 },
      fails: { type: 'failed', message: 'Its file is damaged.' },
    });
    app.use('/endpoints/robots/runs', ({ url, headers }, response) => {
      asked.push({ url, authorization: headers.authorization });
      response.writeHead(asked.length === 1 ? 503 : 200).end();
    });
    const service = await serving(app);
    const address = `${service}/endpoints/robots/runs`;

    const { accelerator, instanceType, instanceSize } = cpuOffer(measureHost());
    const place = { vendor: 'local', region: 'this-machine', accelerator };
    const where = { ...place, instance_type: instanceType, instance_size: instanceSize };
    const lines = await runCommand(client.python, ['-B', '-c', stockClient, service, JSON.stringify(where)], {
      env,
      moreEnv: {
        ...{ HF_ENDPOINT: service, HF_TOKEN: token, HF_HOME: folder },
        ...{ HF_HUB_DISABLE_TELEMETRY: '1', HF_HUB_DISABLE_UPDATE_CHECK: '1' },
      },
      deadlineMs: 50_000,
    }).catch((error: CommandFailed) => error.lines);
    expect(lines, lines.join('\n')).toEqual(expect.arrayContaining([expect.stringMatching(/^{/)]));
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      made: {
        type: 'private',
        healthRoute: '/ready',
        scaling: { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 7, measure: { hardwareUsage: 80 } },
        env: { A: '1' },
        secrets: { B: null },
        image: { sGLang: { url: 'engines/sglang:1', healthRoute: '/ready' } },
        privateService: { accountId: '123', region: 'eu-west-1' },
        route: { domain: 'a.example.org', path: '/a' },
        cacheHttpResponses: true,
        tags: ['one', 'two'],
      },
      waited: ['running', address],
      resumedWhileRunning: 'running',
      resumedAgain: ['BadRequestError', 400, 'The endpoint "runs" is already running.'],
      asleep: ['scaledToZero', address],
      otherPath: { domain: 'a.example.org', path: '/b' },
      otherDomain: { domain: 'b.example.org', path: '/b' },
      cached: false,
      tags: [],
      replaced: [{ C: '3' }, { D: null }, { custom: { url: 'engines/own:1' } }],
      failed: ['InferenceEndpointError', 'Inference Endpoint fails failed to deploy.'],
      tooLong: ['InferenceEndpointTimeoutError', 'pending'],
      halfARoute: ['BadRequestError', 400, 'A route needs a domain and a path.'],
      paused: 'paused',
      resumed: 'pending',
      listed: ['waits', 'fails', 'runs'],
      left: [],
    });
    expect(asked).toEqual([1, 2].map(() => ({ url: '/ready', authorization: `Bearer ${token}` })));
    expect(failures).toEqual([]);
  },
  240_000,
);

/** The endpoints' interface, with a runner that applies the planned events by endpoint name. */
async function serviceThatRuns(folder: string, plan: Readonly<Record<string, EndpointEvent>>) {
  const log = createLogger('error');
  const tokens = new AccessTokens(join(folder, 'tokens.json'), { log, now: systemNow });
  const failures: unknown[] = [];
  const endpoints = endpointsIn(join(folder, 'endpoints'), {
    publish: () => void run().catch((error: unknown) => failures.push(error)),
  });
  async function run(): Promise<void> {
    for (const { name, status } of (await endpoints.list('robots', { limit: 100 })).items) {
      const event = plan[name];
      if (event && status.state === 'pending')
        await endpoints.apply({ namespace: 'robots', name }, { type: 'starting' });
      if (event && status.state === 'initializing') await endpoints.apply({ namespace: 'robots', name }, event);
    }
  }
  const app = express();
  const management = new EndpointManagement({
    endpoints,
    offers: async () => [cpuOffer(measureHost())],
    supervisor: noProcesses,
    traffic: { forget: () => {} },
    localImage: async ({ image }) => image,
  });
  const authenticate = authentication({ tokens, sessions: { callerOf: async () => null } });
  app.use(serve(endpointRoutes({ management, canMail: () => false }), authenticate));
  app.use(problemHandler(log, folder));
  const { text } = await tokens.create({ name: 'ada', scopes: ['deploy'], namespaces: null });
  return { app, token: text, failures };
}

/** Serves until the test ends. @returns the address */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A program for the real hub, without knowledge of the daemon. */
const stockClient = `
import json, sys
from huggingface_hub import HfApi, constants
from huggingface_hub.errors import HfHubHTTPError, InferenceEndpointError, InferenceEndpointTimeoutError

base, where, seen = sys.argv[1], json.loads(sys.argv[2]), {}
constants.INFERENCE_ENDPOINTS_ENDPOINT = base + "/v2"
api, mine = HfApi(), {"namespace": "robots"}

def refused(ask):
    try:
        return repr(ask())
    except HfHubHTTPError as error:
        return [type(error).__name__, error.response.status_code, str(error).strip().splitlines()[-1]]

def create(name, **more):
    return api.create_inference_endpoint(name, repository="ada/poet", framework="custom", **where, **mine, **more)

def update(name, **more):
    return api.update_inference_endpoint(name, **mine, **more).raw

runs = create(
    "runs", type="private", private_link_account_id="123", private_link_region="eu-west-1",
    domain="a.example.org", path="/a", cache_http_responses=True, tags=["one", "two"],
    custom_image={"sGLang": {"url": "engines/sglang:1", "healthRoute": "/ready"}},
    env={"A": "1"}, secrets={"B": "hush"}, task="text-generation", min_replica=0, max_replica=2,
    scaling_metric="hardwareUsage", scaling_threshold=80, scale_to_zero_timeout=7,
)
raw, model = runs.raw, runs.raw["model"]
seen["made"] = {
    **{key: raw[key] for key in ("type", "healthRoute", "privateService", "route", "cacheHttpResponses", "tags")},
    **{key: model[key] for key in ("env", "secrets", "image")},
    "scaling": raw["compute"]["scaling"],
}
runs.wait(timeout=30, refresh_every=0.1)
seen["waited"] = [runs.status, runs.url]
seen["resumedWhileRunning"] = runs.resume().status
seen["resumedAgain"] = refused(lambda: runs.resume(running_ok=False))
runs.scale_to_zero()
seen["asleep"] = [runs.status, runs.url]

seen["otherPath"] = update("runs", path="/b")["route"]
seen["otherDomain"] = update("runs", domain="b.example.org")["route"]
seen["cached"] = update("runs", cache_http_responses=False)["cacheHttpResponses"]
seen["tags"] = update("runs", tags=[])["tags"]
model = update("runs", env={"C": "3"}, secrets={"D": "hush"}, custom_image={"url": "engines/own:1"})["model"]
seen["replaced"] = [model["env"], model["secrets"], model["image"]]

try:
    seen["failed"] = repr(create("fails").wait(timeout=30, refresh_every=0.1))
except InferenceEndpointError as error:
    seen["failed"] = [type(error).__name__, str(error).split(" Please")[0]]
waits = create("waits")
try:
    seen["tooLong"] = repr(waits.wait(timeout=0.5, refresh_every=0.2))
except InferenceEndpointTimeoutError as error:
    seen["tooLong"] = [type(error).__name__, waits.fetch().status]
seen["halfARoute"] = refused(lambda: update("waits", path="/a"))
seen["paused"] = waits.pause().status
seen["resumed"] = waits.resume().status

seen["listed"] = [endpoint.name for endpoint in api.list_inference_endpoints(**mine)]
for endpoint in api.list_inference_endpoints(**mine):
    endpoint.delete()
seen["left"] = api.list_inference_endpoints(**mine)
print(json.dumps(seen))
`;
