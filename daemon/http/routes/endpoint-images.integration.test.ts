/** The twelve kinds of an endpoint's image: the real daemon over real HTTP. */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { endpointApi, issuePaths, LAB, withoutProgress } from '../../testing/daemon/endpoint-api.ts';
import { wholeImages } from '../../testing/models/whole-images.ts';

const api = endpointApi();
const { ask, create, change, made } = api;
async function madeWith(image: object): Promise<Endpoint> {
  return made({ model: { ...api.minimal.model, image } });
}

describe('an image', () => {
  test.each(Object.entries(wholeImages))('%s is returned as it was sent', async (variant, image) => {
    const endpoint = await madeWith({ [variant]: image });
    expect(endpoint.model.image).toEqual({ [variant]: image });
    expect(endpoint.healthRoute).toBe('healthRoute' in image && image.healthRoute ? '/ready' : '/health');
    expect(withoutProgress((await ask('GET', `${LAB}/chat`)).body)).toEqual(withoutProgress(endpoint));
  });

  test.each([
    ['huggingface', {}, 'hub', {}],
    ['huggingfaceNeuron', { batchSize: 1 }, 'hubNeuron', { batchSize: 1 }],
    ['hfServe', { url: 'x' }, 'hubServe', { url: 'x' }],
    [
      ...['tgiNeuron', { url: 'x', hfAutoCastType: 'fp16', hfNumCores: 2 }],
      ...['tgiNeuron', { url: 'x', hubAutoCastType: 'fp16', hubNumCores: 2 }],
    ],
  ] as [string, object, string, object][])("%s is converted to the hub's names", async (theirs, image, ours, same) => {
    expect((await madeWith({ [theirs]: image })).model.image).toEqual({ [ours]: same });
    expect((await change({ type: 'protected', model: { image: { [theirs]: image } } })).body).toMatchObject({
      type: 'authenticated',
      model: { image: { [ours]: same } },
    });
  });

  test('is completed with defaults', async () => {
    expect((await madeWith({ tgi: { url: 'x' } })).model.image).toEqual({
      tgi: { url: 'x', disableCustomKernels: true },
    });
    const reranking = { url: 'x', modelPath: 'y', mode: 'reranking' };
    expect(
      (await change({ model: { image: { llamacpp: { ...reranking, pooling: 'mean' } } } })).body.model.image,
    ).toEqual({ llamacpp: { ...reranking, pooling: 'rank' } });
  });

  test.each<[string, object, string[]]>([
    ['none', {}, ['']],
    ['two', { hub: {}, tei: { url: 'x' } }, ['']],
    ['two in two dialects', { hub: {}, huggingface: {} }, ['huggingface']],
    ['an unknown one', { onnx: { url: 'x' } }, ['onnx', '']],
    ['a hub with a url', { hub: { url: 'x' } }, ['hub.url']],
    ['a hubNeuron with a url', { hubNeuron: { url: 'x' } }, ['hubNeuron.url']],
    ['no url', { vLLM: {} }, ['vLLM.url']],
    ['an empty url', { tei: { url: '' } }, ['tei.url']],
    ['llamacpp without a model', { llamacpp: { url: 'x' } }, ['llamacpp.modelPath']],
    ['a pooling of another engine', { tei: { url: 'x', pooling: 'last' } }, ['tei.pooling']],
    ['an unknown pooling', { llamacpp: { url: 'x', modelPath: 'y', pooling: 'none' } }, ['llamacpp.pooling']],
    [
      'an unknown chat template',
      { llamacpp: { url: 'x', modelPath: 'y', chatTemplate: 'gpt2' } },
      ['llamacpp.chatTemplate'],
    ],
    ['a chat template for another engine', { vLLM: { url: 'x', chatTemplate: 'chatml' } }, ['vLLM.chatTemplate']],
    ['a cache type of another engine', { sGLang: { url: 'x', kvCacheDtype: 'fp8' } }, ['sGLang.kvCacheDtype']],
    ['a negative number', { vLLM: { url: 'x', maxNumSeqs: -1 } }, ['vLLM.maxNumSeqs']],
    ['more than 32 bits', { tgi: { url: 'x', maxTotalTokens: 2_147_483_648 } }, ['tgi.maxTotalTokens']],
    ['a negative chunk size', { sGLang: { url: 'x', chunkedPrefillSize: -2 } }, ['sGLang.chunkedPrefillSize']],
    ['a relative health route', { custom: { url: 'x', healthRoute: 'ready' } }, ['custom.healthRoute']],
    [
      'credentials without a user name',
      { custom: { url: 'x', credentials: { password: 'refused' } } },
      ['custom.credentials.username'],
    ],
    ['NUL', { custom: { url: 'x\u0000' } }, ['custom.url']],
    ['a list', [], ['']],
  ])('%s is refused', async (_, image, wrong) => {
    const model = { ...api.minimal.model, image };
    const expected = wrong.map((path) => (path === '' ? 'model.image' : `model.image.${path}`)).toSorted();
    expect(issuePaths(await create({ model }))).toEqual(expected);
    await made();
    expect(issuePaths(await change({ model: { image } }))).toEqual(expected);
  });

  test('the refusal of a chat template lists the names; one of them is returned as it was sent', async () => {
    const image = { url: 'x', modelPath: 'y' };
    const model = { ...api.minimal.model, image: { llamacpp: { ...image, chatTemplate: 'gpt2' } } };
    expect(JSON.stringify((await create({ model })).body)).toMatch(/chatml.*llama3.*mistral-v7.*zephyr/);
    const named = { llamacpp: { ...image, chatTemplate: 'mistral-v7' } };
    expect((await madeWith(named)).model.image).toEqual(named);
  });
});
