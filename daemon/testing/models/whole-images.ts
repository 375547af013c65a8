import type { EndpointImage, ImageVariant } from '../../contract/endpoints/endpoint-image.ts';

const container = { url: 'registry.example/engine:1', healthRoute: '/ready', port: 8_080 };
const tgi = { maxBatchPrefillTokens: 1, maxBatchTotalTokens: 2, maxInputLength: 3, maxTotalTokens: null };

type Whole<Variant extends ImageVariant> = Readonly<Required<NonNullable<EndpointImage[Variant]>>>;

/** An image of each variant, with every member that it has. */
export const wholeImages: { readonly [Variant in ImageVariant]: Whole<Variant> } = {
  hub: {},
  hubNeuron: { batchSize: 0, neuronCache: 'owner/cache', sequenceLength: 4_096 },
  tgi: { ...container, ...tgi, disableCustomKernels: false, quantize: 'awq' },
  tgiNeuron: { ...container, ...tgi, hubAutoCastType: 'bf16', hubNumCores: 2 },
  tei: { ...container, maxBatchTokens: 1, maxConcurrentRequests: 2, pooling: 'cls' },
  llamacpp: {
    ...{ ...container, modelPath: '/repository/a.gguf', ctxSize: 0, mmprojModelPath: '/repository/b.gguf' },
    ...{
      mode: 'embeddings',
      mainGpu: 0,
      nGpuLayers: 0,
      nParallel: 2,
      pooling: 'last',
      specModelPath: null,
      threadsHttp: 1,
    },
    ...{ variant: '*.gguf', chatTemplate: null },
  },
  vLLM: {
    ...{ ...container, dataParallelSize: 1, maxNumBatchedTokens: 2, maxNumSeqs: 3, tensorParallelSize: 4 },
    kvCacheDtype: 'fp8-e5-m2',
  },
  vLLMOmni: { ...container, deployConfig: '/etc/omni.yaml', maxNumSeqs: 1 },
  vLLMNeuron: container,
  sGLang: {
    ...{ ...container, chunkedPrefillSize: -1, maxPrefillTokens: 1, maxRunningRequests: 2, tensorParallelSize: 3 },
    kvCacheDtype: 'fp8-e4-m3',
  },
  hubServe: { ...container, healthRoute: null, port: null },
  custom: { ...container, credentials: { username: 'me', password: null } },
};
