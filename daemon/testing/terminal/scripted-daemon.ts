/** A daemon for the code of commands that answers what a test says, in memory or over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { CallInput, CallName, DaemonClient } from '../../client/calls.ts';
import { addresses } from '../../client/node/addresses.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import type { EndpointListing, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import type { ReplyBody } from '../../contract/operations/operations.ts';
import type { Instance } from '../../shared/data-folder/data-folder-lock.ts';
import { type DataPaths, dataPaths } from '../../shared/files/data-paths.ts';
import { writeJsonFile } from '../../shared/files/json-file.ts';

type Answers = { readonly [N in CallName]?: (input: CallInput<N>) => ReplyBody<N> | Promise<ReplyBody<N>> };

/** A client whose calls get the given answers. `calls` holds each one, with its input. */
export function scriptedClient(answers: Answers) {
  const calls: [name: CallName, input?: unknown][] = [];
  const call = async (name: CallName, ...input: unknown[]): Promise<unknown> => {
    calls.push([name, ...input] as [CallName, unknown?]);
    const answer = answers[name] as ((input: unknown) => unknown) | undefined;
    if (!answer) throw new Error(`The test has no answer to ${name}.`);
    return answer(input[0]);
  };
  return { client: { call } as DaemonClient, calls };
}

/** Answers `listOwnEndpoints`: the endpoints with the wanted name, of the wanted namespace. */
export const listingOf =
  (all: readonly OwnEndpoint[]) =>
  ({ query }: CallInput<'listOwnEndpoints'>): EndpointListing => {
    const { name, namespace } = query ?? {};
    const endpoints = all.filter(
      (each) => each.endpoint.name === name && (namespace === undefined || each.namespace === namespace),
    );
    const status = { total: all.length, revision: 1, states: {} };
    return { endpoints, matches: endpoints.length, page: 1, pages: 1, status };
  };

/** An empty data folder. */
export async function newDataFolder(): Promise<DataPaths> {
  const root = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return dataPaths(root);
}

/** Records a process as the daemon of a data folder. */
export async function recordInstance(paths: DataPaths, changes: Partial<Instance> = {}): Promise<Instance> {
  const none = { url: null, startTime: null, options: null, desktop: null, isGuardian: false };
  const instance = { pid: statusOfDaemon.pid, ...none, ...changes };
  await writeJsonFile(paths.instanceFile, instance);
  return instance;
}

export const statusOfDaemon: DaemonStatus = {
  name: 'robot-daemon',
  version: '1.2.3',
  instanceId: 'one',
  pid: 999_999_999, // more than any system has
  startedAt: '2026-11-27T08:00:00.000Z',
  dataDir: '/data',
  python: { state: 'ready', version: '3.12.4', installer: 'uv' },
};

/** A request, `GET /api/jobs`. */
interface SeenRequest {
  readonly call: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/**
 * Answers calls over HTTP. It tells its status; other calls without a reply are refused with 503.
 * @returns its address, and the requests beside those for its status
 */
export async function serveScripted(replies: { readonly [N in CallName]?: ReplyBody<N> }) {
  const seen: SeenRequest[] = [];
  const known = Object.entries({ getDaemonStatus: statusOfDaemon, ...replies }).map(([name, reply]) => {
    return { pattern: new RegExp(`^${addresses[name as CallName].replace(/\{\w+\}/g, '[^/]+')}$`), reply };
  });
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const call = `${request.method} ${request.url?.split('?')[0]}`;
      const { authorization } = request.headers;
      if (!call.endsWith('/daemon/status')) seen.push({ call, authorization, body: body ? JSON.parse(body) : null });
      const found = known.find(({ pattern }) => pattern.test(call));
      response.writeHead(found ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ? found.reply : { error: 'Not now.' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
