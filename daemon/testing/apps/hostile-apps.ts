import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppPackage } from './app-packages.ts';

/** A file of a Space as a hub may list it, honest or not. */
export interface ListedFile {
  readonly path: string;
  readonly content?: string;
  readonly size?: number;
  /** The listed hash of a large file; it need not match the content. */
  readonly sha256?: string;
}

export interface LyingHub extends AsyncDisposable {
  readonly url: string;
  /** Sets the listed files of its only Space, which has every name. */
  list(files: readonly ListedFile[]): void;
  /** Redirects every request; null: no longer. */
  redirectTo(address: string | null): void;
}

const COMMIT = 'c0ffee'.padEnd(40, '0');

/** A hub that lists arbitrary files, unlike a fake hub with real repositories. */
export async function startLyingHub(): Promise<LyingHub> {
  let listed: readonly ListedFile[] = [];
  let redirect: string | null = null;
  const server = createServer((request, response) => {
    if (redirect !== null) return void response.writeHead(302, { Location: redirect }).end();
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://hub').pathname);
    const [, file = ''] = /\/resolve\/[^/]+\/(.*)$/s.exec(path) ?? [];
    const sendJson = (value: unknown) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (path.includes('/tree/')) {
      sendJson(
        listed.map(({ path: name, content = '', size = content.length, sha256 }) => ({
          type: 'file',
          oid: COMMIT,
          path: name,
          size,
          ...(sha256 && { lfs: { oid: sha256, size, pointerSize: 130 } }),
        })),
      );
    } else if (file !== '') {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.end(listed.find(({ path: name }) => name === file)?.content ?? '');
    } else {
      const id = path.split('/').slice(3, 5).join('/');
      sendJson({ _id: '1', id, sha: COMMIT, tags: [], private: false, likes: 0, type: 'user', name: 'ann', auth: {} });
    }
  });
  return {
    url: await listening(server),
    list: (files) => {
      listed = files;
    },
    redirectTo: (address) => {
      redirect = address;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An app with its own build backend: lines of Python that call `wheel(more)` to build the package with more files. */
export function builtBy(name: string, lines: readonly string[], more: Partial<AppPackage> = {}): AppPackage {
  return {
    name,
    pyproject: (text) =>
      text.replace(
        /requires = .*\nbuild-backend = .*/,
        'requires = []\nbuild-backend = "own_build"\nbackend-path = ["."]',
      ),
    ...more,
    files: { 'own_build.py': ownBuild(name, lines), ...more.files },
  };
}

function ownBuild(name: string, lines: readonly string[]): string {
  return `import os, sys, zipfile


def build_wheel(directory, *_):
    def wheel(more={}):
        entry_points = "[robot_apps]\\n${name} = ${name}.main:App\\n"
        info = "${name}-1.0.0.dist-info/"
        files = {
            info + "METADATA": "Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.0.0\\nRequires-Dist: robot-sdk\\n",
            info + "WHEEL": "Wheel-Version: 1.0\\nGenerator: own\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
            info + "entry_points.txt": entry_points + more.pop("entry points", ""),
            **{"${name}/" + file: open("${name}/" + file).read() for file in os.listdir("${name}")},
            **more,
        }
        files[info + "RECORD"] = "".join(path + ",,\\n" for path in files) + info + "RECORD,,\\n"
        with zipfile.ZipFile(os.path.join(directory, "${name}-1.0.0-py3-none-any.whl"), "w") as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        return "${name}-1.0.0-py3-none-any.whl"

${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** A Python program that writes a source archive (argv 1) with `paths` or `links` (argv 2) out to a folder (argv 3). */
export const trapArchive = `
import io, sys, tarfile

target, how, folder = sys.argv[1:]
with tarfile.open(target, "w:gz") as archive:
    def add(name, content=b"", link=None):
        info = tarfile.TarInfo(name)
        info.size = len(content)
        if link:
            info.type, info.linkname = tarfile.SYMTYPE, link
        archive.addfile(info, io.BytesIO(content))

    add("trap-1.0/pyproject.toml", b'[project]\\nname = "trap"\\nversion = "1.0"\\n')
    if how == "links":
        add("trap-1.0/out", link=folder)
        add("trap-1.0/out/evil-by-link", b"evil")
    else:
        add(folder + "/evil-absolute", b"evil")
        for up in range(1, 9):
            add("../" * up + "evil", b"evil")
`;

/** Serves the same bytes at every path until the test ends. @returns its url and the requested paths */
export async function serveBytes(bytes: string | Buffer): Promise<{ url: string; requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(bytes);
  });
  onTestFinished(() => void server.close());
  return { url: await listening(server), requests };
}

/**
 * Lists the files with "evil" in their name that lie in a data folder where no app may write, or directly in another
 * folder. An app may write to its environments, and its installer to the cache.
 */
export async function strayFiles(dataDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)));
  const own = /^(?:apps\/[^/]+\/envs\/[^/]+\/|cache\/)/;
  return [...(await readdir(folder)), ...paths.filter((path) => !own.test(path))].filter((path) =>
    path.includes('evil'),
  );
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
