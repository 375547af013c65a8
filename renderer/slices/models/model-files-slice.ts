import type { DaemonClient } from '../../../daemon/client/calls.ts';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointRequest } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import type { RuntimeList } from '../../../daemon/contract/endpoints/runtimes.ts';
import type { GgufFacts } from '../../../daemon/contract/model-files/model-files.ts';
import { type AnswersSlice, answered } from '../base/answers.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { namespaceOf } from '../daemon/session-slice.ts';

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

/** Names the programs that serve models on this machine, with the one that can be installed. */
export const runtimesKey = ['runtimes'];

export type ModelFilesSlice = ReturnType<typeof createModelFilesSlice>;

export function createModelFilesSlice(
  set: SetState<{ readonly checkedFile: CheckedFile | null }>,
  get: GetState<AnswersSlice>,
  send: SendCommand,
) {
  return {
    /** The user's file after a successful check; null: none yet, or the last check failed. */
    checkedFile: null as CheckedFile | null,
    checkModelFile: async (path: string) => {
      set({ checkedFile: null });
      const facts = await send('own-file', (call) => call('checkModelFile', { body: { path } }));
      if (facts) set({ checkedFile: { path, facts } });
    },
    /** Forgets the checked file, when another path is entered. */
    forgetCheckedFile: () => set({ checkedFile: null }),
    /**
     * Creates an endpoint on this machine; never retries.
     * @param mayUseCard whether it runs on the graphics card if a program can use one
     * @returns whether it was created
     */
    deployOwnFile: async ({ scaling, ...wanted }: OwnFileEndpoint, mayUseCard: boolean) => {
      const namespace = namespaceOf(get());
      const list = answered<RuntimeList>(runtimesKey)(get());
      const canUseCard = list?.runtimes.some(({ problem, hasGpu }) => problem === null && hasGpu) ?? true;
      const created = await send('deploy', async (call) => {
        const { provider, ...compute } = await placeOf(call, namespace, mayUseCard && canUseCard);
        const may = compute.accelerator === 'gpu' && { mayUseProcessor: true };
        const body = { ...wanted, provider, compute: { ...compute, scaling, ...may } };
        return call('createEndpoint', { params: { namespace }, body });
      });
      return created !== null;
    },
    /** Starts a job, which events report. */
    installLlamaServer: () => send('runtimes', (call) => call('installLlamaServer'), 'install'),
  };
}

/** The place of an endpoint on this machine: its graphics card if a program can use it, else its CPU. */
async function placeOf(call: DaemonClient['call'], namespace: string, usesGpu: boolean) {
  const { vendors } = await call('listHardware', { params: { namespace } });
  const vendor = vendors.find(({ name }) => name === 'local');
  const region = vendor?.regions[0];
  const offerFor = (wanted: string) => region?.computes.find(({ accelerator }) => accelerator === wanted);
  const offer = (usesGpu ? offerFor('gpu') : undefined) ?? offerFor('cpu');
  if (!vendor || !region || !offer) throw new DaemonError(null, 'The daemon does not list this machine as compute.');
  const { accelerator, instanceType, instanceSize } = offer;
  return { provider: { vendor: vendor.name, region: region.name }, accelerator, instanceType, instanceSize };
}
