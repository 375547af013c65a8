import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PublishDeps, previewPublication, publishApp } from '../../assistant/publish/publish-app.ts';
import type { PublishRequest } from '../../contract/apps/own-apps.ts';
import { git as runGit } from '../fake-hub/repository/git.ts';
import type { FakeHub } from '../fake-hub.ts';
import { gitVariables } from './git-variables.ts';
import { hubClient } from './hub-client.ts';
import { passingCheck } from './passing-check.ts';

export const TOKEN = 'hf_of_ada';

/** The files of a small app that can be published. */
export const appFiles: Readonly<Record<string, string>> = {
  'pyproject.toml': [
    '[build-system]',
    'requires = ["setuptools"]',
    '',
    '[project]',
    'name = "wave"',
    'version = "0.1.0"',
    '',
    '[project.entry-points.robot_apps]',
    'wave = "wave.main:Wave"',
    '',
  ].join('\n'),
  'README.md': '---\ntitle: Wave\nemoji: 👋\nsdk: static\ntags:\n- robot_python_app\n---\n# Wave\n',
  '.gitignore': '__pycache__/\n*.log\n',
  'wave/__init__.py': '',
  'wave/main.py': 'class Wave: ...\n\nif __name__ == "__main__":\n    print("wave")\n',
};

/** An app's folder in a temporary one, with the means to publish it. */
export interface OwnAppFolder extends AsyncDisposable {
  readonly folder: string;
  /** Writes files; null removes one. */
  write(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void>;
  /** Runs git as the author does, without settings of this machine. */
  readonly git: (...args: string[]) => Promise<string>;
  readonly deps: PublishDeps;
  /** The lines of the log of all publications. */
  readonly log: string[];
  /** The steps of the last publication. */
  readonly steps: string[];
  publish(choices?: PublishRequest, deps?: Partial<PublishDeps>, signal?: AbortSignal): ReturnType<typeof publishApp>;
  preview(choices?: PublishRequest, deps?: Partial<PublishDeps>): ReturnType<typeof previewPublication>;
}

interface OwnAppOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly hasGit?: boolean;
  readonly name?: string;
  readonly folder?: string;
}

/** @param options.folder an existing folder, which stays; default: a new one with this name */
export async function ownAppFolder(hub: FakeHub, options: OwnAppOptions = {}): Promise<OwnAppFolder> {
  const { files = appFiles, hasGit = true, name = 'wave' } = options;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'robot-desktop-')));
  const folder = options.folder ?? join(root, name);
  const log: string[] = [];
  const steps: string[] = [];
  const write: OwnAppFolder['write'] = async (given) => {
    for (const [path, content] of Object.entries(given)) {
      const file = join(folder, ...path.split('/'));
      if (content === null) await rm(file, { recursive: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
  };
  await write(files);
  const deps: PublishDeps = {
    hub: hubClient(hub.url, TOKEN),
    token: TOKEN,
    environment: () => gitVariables(hasGit),
    ...passingCheck,
  };
  const never = new AbortController().signal;
  return {
    folder,
    write,
    deps,
    log,
    steps,
    git: async (...args) =>
      (await runGit(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args])).toString().trim(),
    publish: (choices = {}, more = {}, signal = never) => {
      steps.length = 0;
      return publishApp(
        folder,
        choices,
        { ...deps, ...more },
        {
          signal,
          step: (step) => void steps.push(step),
          detail: () => {},
          log: (line) => void log.push(line),
        },
      );
    },
    preview: (choices = {}, more = {}) => previewPublication(folder, choices, { ...deps, ...more }, never),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
