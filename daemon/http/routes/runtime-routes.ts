import type { RuntimeList } from '../../contract/endpoints/runtimes.ts';
import type { LlamaServerInstaller } from '../../endpoints/runtime-install/llama-server-installer.ts';
import type { Runtimes } from '../../endpoints/runtimes.ts';
import type { Routes } from './serve-operations.ts';

export interface RuntimeServices {
  readonly runtimes: Pick<Runtimes, 'list' | 'containers' | 'refresh'>;
  readonly llamaServerInstaller: Pick<LlamaServerInstaller, 'install' | 'installable'>;
}

export function runtimeRoutes({ runtimes, llamaServerInstaller }: RuntimeServices) {
  const list = async (): Promise<RuntimeList> => ({
    runtimes: [...(await runtimes.list())],
    installable: await llamaServerInstaller.installable(),
    containers: await runtimes.containers(),
  });
  return {
    listRuntimes: list,
    findRuntimes: () => {
      runtimes.refresh();
      return list();
    },
    installLlamaServer: () => llamaServerInstaller.install(),
  } satisfies Partial<Routes>;
}
