import * as z from 'zod';
import { oneKey } from '../common/common.ts';
import { chatTemplates } from './chat-template.ts';
import { Count, ProcessText } from './endpoint-values.ts';

const container = {
  url: ProcessText.min(1),
  /** Answers 200 once the container is ready. */
  healthRoute: z.string().startsWith('/').nullable().optional(),
  port: z.int32().min(0).max(65_535).nullable().optional(),
};

const tgiFamily = {
  ...container,
  maxBatchPrefillTokens: Count,
  maxBatchTotalTokens: Count,
  maxInputLength: Count,
  maxTotalTokens: Count,
};

const path = ProcessText.min(1);
const optionalPath = path.nullable().optional();

/** The settings of one kind of image. */
const kind = <Shape extends z.ZodRawShape>(settings: Shape) => z.strictObject(settings).optional();

/** The container that serves a model: exactly one key, which names the kind. */
export const EndpointImage = oneKey(
  {
    hub: kind({}),
    hubNeuron: kind({ batchSize: Count, neuronCache: path.optional(), sequenceLength: Count }),
    tgi: kind({
      ...tgiFamily,
      disableCustomKernels: z.boolean().optional().meta({ description: 'Default: true' }),
      quantize: z.enum(['awq', 'bitsandbytes', 'eetq', 'gptq']).nullable().optional(),
    }),
    tgiNeuron: kind({
      ...tgiFamily,
      hubAutoCastType: z.enum(['bf16', 'fp16']).nullable().optional(),
      hubNumCores: Count,
    }),
    tei: kind({
      ...container,
      maxBatchTokens: Count,
      maxConcurrentRequests: Count,
      pooling: z.enum(['mean', 'cls']).nullable().optional(),
    }),
    llamacpp: kind({
      ...container,
      /** The path of the .gguf file. */
      modelPath: path,
      chatTemplate: z.enum(chatTemplates).nullable().optional().meta({
        description:
          'Makes a prompt of a chat. Default: the template in the model’s file; without one, chats are refused',
      }),
      ctxSize: Count.meta({
        description:
          'The context of a request in tokens; unset or 0: as many as fit. With `nParallel`, that many requests share it',
      }),
      mainGpu: Count.meta({
        description:
          'The graphics card, by its number in the list of this machine; unset: the one with the most memory',
      }),
      mmprojModelPath: optionalPath,
      /** Unset: generation. */
      mode: z.enum(['embeddings', 'reranking']).nullable().optional(),
      nGpuLayers: Count.meta({
        description:
          'Layers of the model on the graphics card; unset: as many as its free memory has room for beside the context, 0: none',
      }),
      nParallel: Count.meta({
        description:
          'How many requests a replica answers at the same time; unset: as many as the memory has room for, four at most, each with the whole `ctxSize`',
      }),
      pooling: z.enum(['mean', 'cls', 'last', 'rank']).nullable().optional(),
      specModelPath: optionalPath,
      threadsHttp: Count,
      /** A pattern of the .gguf files to load. */
      variant: optionalPath,
    }),
    vLLM: kind({
      ...container,
      dataParallelSize: Count,
      maxNumBatchedTokens: Count,
      maxNumSeqs: Count,
      tensorParallelSize: Count,
      kvCacheDtype: z.enum(['fp8', 'fp8-e4-m3', 'fp8-e5-m2']).nullable().optional(),
    }),
    vLLMOmni: kind({ ...container, deployConfig: optionalPath, maxNumSeqs: Count }),
    vLLMNeuron: kind(container),
    sGLang: kind({
      ...container,
      /** -1: prefill is not cut into chunks. */
      chunkedPrefillSize: z.int32().min(-1).nullable().optional(),
      maxPrefillTokens: Count,
      maxRunningRequests: Count,
      tensorParallelSize: Count,
      kvCacheDtype: z.enum(['fp8-e4-m3', 'fp8-e5-m2']).nullable().optional(),
    }),
    hubServe: kind(container),
    custom: kind({
      ...container,
      /** For the image's registry. The password is saved encrypted and never shown again. */
      credentials: z
        .strictObject({ username: z.string().min(1), password: z.string().nullable().optional() })
        .nullable()
        .optional(),
    }),
  },
  'which kind of image this is',
).meta({ id: 'EndpointImage' });
export type EndpointImage = z.infer<typeof EndpointImage>;
export type ImageVariant = keyof EndpointImage;
