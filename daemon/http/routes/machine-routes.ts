import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { RuntimeList } from '../../contract/endpoints/runtimes.ts';
import type { LlamaServerInstaller } from '../../endpoints/runtime-install/llama-server-installer.ts';
import type { Runtimes } from '../../endpoints/runtimes.ts';
import type { ModelFiles } from '../../model-files/model-files.ts';
import type { Clock } from '../../shared/clock.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Routes } from './serve-operations.ts';

export interface MachineServices {
  readonly modelFiles: ModelFiles;
  readonly runtimes: Pick<Runtimes, 'list' | 'containers' | 'refresh'>;
  readonly llamaServerInstaller: Pick<LlamaServerInstaller, 'install' | 'installable'>;
}

/** A check itself ends earlier, with an error. */
const CHECK_MS = 60_000;

/** The files of models on this machine, and the programs that serve them. */
export function machineRoutes(clock: Clock, { modelFiles, runtimes, llamaServerInstaller }: MachineServices) {
  const list = async (): Promise<RuntimeList> => ({
    runtimes: [...(await runtimes.list())],
    installable: await llamaServerInstaller.installable(),
    containers: await runtimes.containers(),
  });
  return {
    listModelFiles: () => modelFiles.list(),
    removeModelFile: ({ params }) => modelFiles.remove(params.fileId),
    checkModelFile: ({ body }) => modelFiles.check(absolute(body.path), { signal: clock.timeout(CHECK_MS) }),
    listRuntimes: list,
    findRuntimes: () => {
      runtimes.refresh();
      return list();
    },
    installLlamaServer: () => llamaServerInstaller.install(),
  } satisfies Partial<Routes>;
}

function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  const full = /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : '/home/me/models/model.gguf';
  const message = `Write the full path, ${path.startsWith('~') ? 'here' : 'such as'} ${full}.`;
  throw new InvalidBody(message, [{ path: ['path'], message: 'must be absolute' }]);
}
