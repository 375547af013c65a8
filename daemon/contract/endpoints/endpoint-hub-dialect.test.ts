import { expect, test } from 'vitest';
import { EndpointChange } from './endpoint-request.ts';
import { toHubNames, toSpecificationNames } from './hub-dialect.ts';

const withImage = (image: unknown, more = {}) => ({ ...more, model: { repository: 'a/b', image } });
const neuron = { url: 'u' };

test.each([
  [{ hub: {} }, { huggingface: {} }],
  [{ hubNeuron: { batchSize: 1 } }, { huggingfaceNeuron: { batchSize: 1 } }],
  [{ hubServe: { url: 'u' } }, { hfServe: { url: 'u' } }],
  [
    { tgiNeuron: { ...neuron, hubAutoCastType: 'bf16', hubNumCores: 2 } },
    { tgiNeuron: { ...neuron, hfAutoCastType: 'bf16', hfNumCores: 2 } },
  ],
  [{ vLLM: { url: 'u' } }, { vLLM: { url: 'u' } }],
])('%j is %j in the hub’s words, and the other way round', (ours, theirs) => {
  expect(toHubNames(withImage(ours))).toEqual(withImage(theirs));
  expect(toSpecificationNames(withImage(theirs))).toEqual(withImage(ours));
  expect(toSpecificationNames(withImage(ours))).toEqual(withImage(ours));
});

test('the older name of a type is translated, and nothing else of an endpoint changes', () => {
  const rest = { name: 'a', tags: ['huggingface'], env: { hfServe: 'x' } };
  expect(toSpecificationNames(withImage({ huggingface: {} }, { ...rest, type: 'protected' }))).toEqual(
    withImage({ hub: {} }, { ...rest, type: 'authenticated' }),
  );
  for (const none of [null, 1, 'x', [], {}, { model: null }, { model: { image: [] } }]) {
    expect(toSpecificationNames(none)).toEqual(none);
    expect(toHubNames(none)).toEqual(none);
  }
});

test('an image under both names counts as two, and is refused', () => {
  expect(EndpointChange.safeParse(withImage({ hub: {}, huggingface: {} })).error?.issues).toMatchObject([
    { path: ['model', 'image'], keys: ['huggingface'] },
  ]);
  const tgiNeuron = { url: 'u', hubNumCores: 1, hfNumCores: 2 };
  expect(EndpointChange.safeParse(withImage({ tgiNeuron })).error?.issues).toMatchObject([
    { path: ['model', 'image', 'tgiNeuron'], keys: ['hfNumCores'] },
  ]);
});

test('unsafe keys are not renamed, and refused in place', () => {
  const body = JSON.parse('{"__proto__":{"x":1},"model":{"image":{"__proto__":{},"constructor":{}}}}');
  expect(JSON.stringify(toSpecificationNames(body))).toBe(JSON.stringify(body));
  expect(EndpointChange.safeParse(body).success).toBe(false);
  expect(({} as { x?: number }).x).toBeUndefined();
});
