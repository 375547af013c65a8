import type { DaemonClient } from '../../../daemon/client/calls.ts';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointRequest } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import type { GgufFacts, ModelFile } from '../../../daemon/contract/model-files/model-files.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { callSignedIn, namespaceOf, type SessionSlice } from '../daemon/session-slice.ts';
import type { RuntimesSlice } from './runtimes-slice.ts';

/** A model file of the user's own, after a check. */
export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  readonly facts: GgufFacts;
}

/** An endpoint for a file of this machine, without its place. */
export type OwnFileEndpoint = Omit<EndpointRequest, 'provider' | 'compute'> & {
  readonly scaling: EndpointRequest['compute']['scaling'];
};

export interface ModelFilesSlice {
  /** The model files that the daemon has downloaded. */
  readonly modelFiles: Loaded<readonly ModelFile[]> | null;
  /** The user's file after a successful check; null: none yet, or the last check failed. */
  readonly checkedFile: CheckedFile | null;
  readonly loadModelFiles: () => Promise<void>;
  /** @returns whether it was removed */
  readonly removeModelFile: (id: string) => Promise<boolean>;
  readonly checkModelFile: (path: string) => Promise<void>;
  /** Forgets the checked file, when another path is entered. */
  readonly forgetCheckedFile: () => void;
  /** Creates an endpoint on this machine; never retries. @returns whether it was created */
  readonly deployOwnFile: (wanted: OwnFileEndpoint) => Promise<boolean>;
}

export function createModelFilesSlice(
  set: SetState<ModelFilesSlice>,
  get: GetState<SessionSlice & RuntimesSlice & ModelFilesSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): ModelFilesSlice {
  return {
    modelFiles: null,
    checkedFile: null,
    loadModelFiles: () =>
      load<readonly ModelFile[]>(
        () => daemon.call('listModelFiles'),
        (next) => set(({ modelFiles }) => ({ modelFiles: next(modelFiles) })),
      ),
    async removeModelFile(fileId) {
      const call = () => callSignedIn(get, () => daemon.call('removeModelFile', { params: { fileId } }));
      const removed = (await send(`model-file ${fileId}`, call)) !== null;
      if (removed) await get().loadModelFiles();
      return removed;
    },
    async checkModelFile(path) {
      set({ checkedFile: null });
      const call = () => callSignedIn(get, () => daemon.call('checkModelFile', { body: { path } }));
      const facts = await send('own-file', call);
      if (facts) set({ checkedFile: { path, facts } });
    },
    forgetCheckedFile: () => set({ checkedFile: null }),
    async deployOwnFile({ scaling, ...wanted }) {
      const namespace = namespaceOf(get());
      const usesGpu =
        get().runtimes?.value?.runtimes.some(({ problem, hasGpu }) => problem === null && hasGpu) ?? false;
      const call = async () => {
        const { provider, ...compute } = await placeOf(daemon, namespace, usesGpu);
        const body = { ...wanted, provider, compute: { ...compute, scaling } };
        return daemon.call('createEndpoint', { params: { namespace }, body });
      };
      return (await send('deploy', () => callSignedIn(get, call))) !== null;
    },
  };
}

/** The place of an endpoint on this machine: its graphics card if a program can use it, else its CPU. */
async function placeOf(daemon: DaemonClient, namespace: string, usesGpu: boolean) {
  const { vendors } = await daemon.call('listHardware', { params: { namespace } });
  const vendor = vendors.find(({ name }) => name === 'local');
  const region = vendor?.regions[0];
  const offerFor = (wanted: string) => region?.computes.find(({ accelerator }) => accelerator === wanted);
  const offer = (usesGpu ? offerFor('gpu') : undefined) ?? offerFor('cpu');
  if (!vendor || !region || !offer) throw new DaemonError(null, 'The daemon does not list this machine as compute.');
  const { accelerator, instanceType, instanceSize } = offer;
  return { provider: { vendor: vendor.name, region: region.name }, accelerator, instanceType, instanceSize };
}
