import { expect, test } from 'vitest';
import { wholeImages as whole } from '../../testing/models/whole-images.ts';
import { EndpointImage, type ImageVariant } from './endpoint-image.ts';

const variants = Object.entries(whole);
/** The required members of a variant. */
const least: Partial<Record<string, object>> = {
  hub: {},
  hubNeuron: {},
  llamacpp: { url: 'x', modelPath: '/repository/a.gguf' },
};

const issuesOf = (image: unknown) =>
  EndpointImage.safeParse(image).error?.issues.map(({ path, code, message }) => ({ path, code, message }));

test.each(variants)(
  '%s is read with every member that it has, and with only those that it needs',
  (variant, members) => {
    const needed = least[variant] ?? { url: 'x' };
    expect(EndpointImage.parse({ [variant]: members })).toEqual({ [variant]: members });
    expect(EndpointImage.parse({ [variant]: needed })).toEqual({ [variant]: needed });
  },
);

test.each(variants)('%s refuses the members of other variants', (variant, members) => {
  const foreign = new Set(Object.values(whole).flatMap(Object.keys));
  for (const member of [...foreign, '__proto__', 'constructor'].filter((each) => !Object.hasOwn(members, each))) {
    const withOneMore = JSON.parse(JSON.stringify({ ...members, oneMore: null }).replace('oneMore', member));
    expect(issuesOf({ [variant]: withOneMore })).toEqual([
      { path: [variant], code: 'unrecognized_keys', message: `Unrecognized key: "${member}"` },
    ]);
  }
});

test.each(variants)('%s reports a wrong member with its path', (variant, members) => {
  const pathsOf = (image: unknown) => new Set(issuesOf(image)?.map(({ path }) => path.join('.')));
  for (const member of Object.keys(members)) {
    expect(pathsOf({ [variant]: { ...members, [member]: [] } })).toEqual(new Set([`${variant}.${member}`]));
  }
  for (const member of Object.keys(least[variant] ?? { url: '' })) {
    expect(pathsOf({ [variant]: { ...members, [member]: undefined } })).toEqual(new Set([`${variant}.${member}`]));
  }
});

test('exactly one key says which kind of image it is', () => {
  const message = expect.stringMatching(/^exactly one of hub, hubNeuron, tgi, .*, custom says which kind of image/);
  expect(issuesOf({})).toEqual([{ path: [], code: 'custom', message }]);
  for (const [one] of variants) {
    for (const [other] of variants.filter(([variant]) => variant !== one)) {
      const both = { [one]: whole[one as ImageVariant], [other]: whole[other as ImageVariant] };
      expect(issuesOf(both)).toEqual([{ path: [], code: 'custom', message }]);
    }
  }
  for (const unknown of ['vllm', 'huggingface', 'constructor', '__proto__']) {
    expect(issuesOf(JSON.parse(`{"${unknown}":{}}`))).toContainEqual({
      ...{ path: [], code: 'unrecognized_keys', message: `Unrecognized key: "${unknown}"` },
    });
  }
  for (const none of [null, [], 'hub', 1]) expect(issuesOf(none)).toMatchObject([{ path: [], code: 'invalid_type' }]);
});

test.each([
  ['llamacpp', { pooling: 'none' }, ['llamacpp', 'pooling']],
  ['llamacpp', { mode: 'generation' }, ['llamacpp', 'mode']],
  ['llamacpp', { modelPath: '' }, ['llamacpp', 'modelPath']],
  ['tei', { pooling: 'rank' }, ['tei', 'pooling']],
  ['vLLM', { kvCacheDtype: 'fp8_e4m3' }, ['vLLM', 'kvCacheDtype']],
  ['sGLang', { kvCacheDtype: 'fp8' }, ['sGLang', 'kvCacheDtype']],
  ['sGLang', { chunkedPrefillSize: -2 }, ['sGLang', 'chunkedPrefillSize']],
  ['tgi', { quantize: 'int8' }, ['tgi', 'quantize']],
  ['tgiNeuron', { hubAutoCastType: 'fp32' }, ['tgiNeuron', 'hubAutoCastType']],
  ['vLLM', { maxNumSeqs: -1 }, ['vLLM', 'maxNumSeqs']],
  ['vLLM', { maxNumSeqs: 1.5 }, ['vLLM', 'maxNumSeqs']],
  ['vLLM', { maxNumSeqs: 2 ** 31 }, ['vLLM', 'maxNumSeqs']],
  ['custom', { url: 'a\u0000b' }, ['custom', 'url']],
  ['custom', { healthRoute: 'health' }, ['custom', 'healthRoute']],
  ['custom', { credentials: { password: 'x' } }, ['custom', 'credentials', 'username']],
  ['custom', { credentials: { username: 'x', token: 'y' } }, ['custom', 'credentials']],
] as const)('%s refuses %j', (variant, wrong, path) => {
  expect(issuesOf({ [variant]: { ...whole[variant], ...wrong } })).toMatchObject([{ path }]);
});
