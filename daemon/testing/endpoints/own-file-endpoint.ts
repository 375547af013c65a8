import type { Hardware } from '../../contract/compute/hardware.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { minimalRequest } from '../models/some-endpoints.ts';

/** The processor of this machine, or its graphics cards, in the daemon's list of compute. */
export function processorIn({ vendors }: Hardware, accelerator: 'cpu' | 'gpu' = 'cpu') {
  const local = vendors.find(({ name }) => name === 'local');
  const here = local?.regions[0]?.computes.find((compute) => compute.accelerator === accelerator);
  if (!here) throw new Error(`This machine has no ${accelerator} in the list of hardware.`);
  const { instanceType, instanceSize } = here;
  return { instanceType, instanceSize };
}

/**
 * The request for an endpoint that serves a model file of this machine on its processor.
 * @param hardware the daemon's list of compute
 * @param image more fields of the `llamacpp` image
 * @param accelerator `gpu`: on its graphics card
 */
export function ownFileRequest(
  name: string,
  modelPath: string,
  hardware: Hardware,
  image: object = {},
  accelerator: 'cpu' | 'gpu' = 'cpu',
) {
  const request = minimalRequest(name);
  return {
    ...request,
    compute: { ...request.compute, accelerator, ...processorIn(hardware, accelerator) },
    model: {
      ...{ repository: `ada/${name}`, framework: 'llamacpp' },
      image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath, ...image } },
    },
    experimentalFeatures: { skipRepoDownload: true },
  } satisfies EndpointRequest;
}

/**
 * Creates such an endpoint.
 * @param headers of a caller that may deploy
 * @throws Error with the daemon's refusal
 */
export async function createOwnFileEndpoint(
  daemonUrl: string,
  headers: Readonly<Record<string, string>>,
  {
    namespace = 'lab',
    name,
    modelPath,
    task,
    image = {},
    accelerator = 'cpu',
    ...more
  }: {
    readonly name: string;
    readonly modelPath: string;
    readonly namespace?: string;
    readonly task?: string;
    /** More fields of the `llamacpp` image. */
    readonly image?: object;
    readonly accelerator?: 'cpu' | 'gpu';
  } & Partial<EndpointRequest>,
): Promise<void> {
  const hardware = (await (await fetch(`${daemonUrl}/v2/provider/${namespace}`, { headers })).json()) as Hardware;
  const request = ownFileRequest(name, modelPath, hardware, image, accelerator);
  const created = await fetch(`${daemonUrl}/v2/endpoint/${namespace}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...request, model: { ...request.model, ...(task && { task }) }, ...more }),
  });
  if (!created.ok) throw new Error(await created.text());
}
