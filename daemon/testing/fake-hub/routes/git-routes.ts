import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { type Request, type Response, Router } from 'express';
import type { Account, HubContents } from '../hub-contents.ts';
import type { HubRepository } from '../hub-repository.ts';
import { gitEnvironment } from '../repository/git.ts';
import { queryOf, repositoryIdOf } from './paths.ts';

const MAX_HEADER_BYTES = 16 * 1024;

/** git over HTTP, served by `git http-backend`. */
export class GitRoutes {
  readonly router = Router();
  readonly #root: string;
  readonly #running = new Set<ReturnType<typeof startBackend>>();

  constructor(contents: HubContents, root: string) {
    this.#root = root;
    const services = ['info/refs', 'git-upload-pack', 'git-receive-pack'];
    for (const service of services) {
      this.router.all(`/spaces/:owner/:name/${service}`, async (req, res) => {
        const id = repositoryIdOf(req);
        const pushes = service === 'git-receive-pack' || queryOf(req).get('service') === 'git-receive-pack';
        const { repository, account } = pushes
          ? contents.writable(id, req)
          : { repository: contents.readable(id, req), account: null };
        if (service === 'git-receive-pack') {
          contents.needRoom(repository, [{ size: Number(req.headers['content-length'] ?? 0) }]);
        }
        await this.#run(repository, service, account, req, res);
      });
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all(this.#running);
  }

  async #run(
    space: HubRepository,
    service: string,
    account: Account | null,
    req: Request,
    res: Response,
  ): Promise<void> {
    await space.repository();
    const child = startBackend(this.#environment(space, service, account, req));
    this.#running.add(child);
    const closed = child.finally(() => this.#running.delete(child));
    res.once('close', () => child.kill('SIGKILL'));
    child.stderr.resume();
    // The process may end before it has read everything.
    child.stdin.on('error', () => {});
    req.pipe(child.stdin);
    await answer(child.stdout, res);
    await closed;
    // Before the reply ends: the client may request the space next.
    if (account) await space.refresh();
    res.end();
  }

  #environment(space: HubRepository, service: string, account: Account | null, req: Request): Record<string, string> {
    const { headers } = req;
    const given = {
      CONTENT_TYPE: headers['content-type'],
      CONTENT_LENGTH: headers['content-length'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: headers['git-protocol'],
      // git allows a push for any named user.
      REMOTE_USER: account?.name,
    };
    return {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: this.#root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${space.directory}/${service}`,
      REQUEST_METHOD: req.method,
      QUERY_STRING: queryOf(req).toString(),
      REMOTE_ADDR: '127.0.0.1',
      ...Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    };
  }
}

function startBackend(env: Record<string, string>) {
  return execa('git', ['http-backend'], { env, extendEnv: false, stdin: 'pipe', buffer: false, reject: false });
}

/** Writes the program's headers and body; the caller ends the response. @throws Error without headers */
async function answer(stdout: Readable, res: Response): Promise<void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of stdout) {
    let body: Buffer = chunk;
    if (head) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length < MAX_HEADER_BYTES) continue;
      for (const line of head.toString('utf8', 0, end).split('\r\n')) setHeader(line, res);
      body = head.subarray(end + 4);
      head = null;
    }
    if (res.destroyed) return;
    if (!res.write(body)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  if (head) throw new Error('git http-backend gave no answer');
}

function setHeader(line: string, res: Response): void {
  const [name = '', value = ''] = line.split(/: (.*)/);
  if (name === 'Status') res.status(Number.parseInt(value, 10));
  else res.set(name, value);
}
