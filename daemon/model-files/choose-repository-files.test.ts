import { expect, test } from 'vitest';
import { chooseRepositoryFiles } from './choose-repository-files.ts';

const chosen = (...paths: string[]) =>
  chooseRepositoryFiles(paths.map((path) => ({ path, size: 1, sha256: null }))).map(({ path }) => path);

test('configuration, code and vocabulary are kept, the repository’s own bookkeeping is not', () => {
  const kept = ['config.json', 'tokenizer.model', 'vocab.txt', 'modeling.py', 'chat_template.jinja', 'o200k.tiktoken'];
  expect(chosen('.gitattributes', 'sub/.gitignore', ...kept)).toEqual(kept);
});

test('a file with the name of an unfinished download is left out: it would be taken for ours', () => {
  expect(chosen('model.safetensors', 'model.safetensors.part', 'config.json.part.json', 'a.party')).toEqual([
    ...['model.safetensors', 'a.party'],
  ]);
});

test.each<[string, string[], string[]]>([
  [
    'safetensors replace weights of PyTorch beside them, and those of other programs anywhere',
    ['model.safetensors', 'pytorch_model.bin', 'tf_model.h5', 'flax_model.msgpack', 'onnx/model.onnx', 'rust_model.ot'],
    ['model.safetensors'],
  ],
  [
    'weights of PyTorch in a folder without safetensors are kept: they are another part of the model',
    ['model.safetensors', '2_Dense/pytorch_model.bin', '2_Dense/config.json', 'voices/a.pt'],
    ['model.safetensors', '2_Dense/pytorch_model.bin', '2_Dense/config.json', 'voices/a.pt'],
  ],
  [
    'without safetensors, PyTorch replaces other programs’ weights',
    [
      'pytorch_model-00001-of-00002.bin',
      'pytorch_model-00002-of-00002.bin',
      'model.gguf',
      'openvino/openvino_model.bin',
    ],
    ['pytorch_model-00001-of-00002.bin', 'pytorch_model-00002-of-00002.bin'],
  ],
  [
    'the only weights are kept, whatever reads them',
    ['onnx/model.onnx', 'onnx/model.onnx_data', 'config.json', 'training_args.bin'],
    ['onnx/model.onnx', 'onnx/model.onnx_data', 'config.json', 'training_args.bin'],
  ],
  ['so are .gguf files', ['q4.gguf', 'q8.gguf', 'config.json'], ['q4.gguf', 'q8.gguf', 'config.json']],
  [
    'a second precision is left out, an only one is not',
    [
      'unet/a.safetensors',
      'unet/a.fp16.safetensors',
      'vae/b.fp16.safetensors',
      'model.fp16-00001-of-00002.safetensors',
    ],
    ['unet/a.safetensors', 'vae/b.fp16.safetensors', 'model.fp16-00001-of-00002.safetensors'],
  ],
  [
    'so are the author’s own copies',
    ['model-00001-of-00002.safetensors', 'consolidated.safetensors', 'original/consolidated.00.pth', 'original/p.json'],
    ['model-00001-of-00002.safetensors', 'original/p.json'],
  ],
  [
    'which are kept where there are no others',
    ['original/consolidated.00.pth', 'original/params.json', 'README.md'],
    ['original/consolidated.00.pth', 'original/params.json', 'README.md'],
  ],
  [
    'of which only copies are left out',
    ['consolidated.safetensors', 'params.json'],
    ['consolidated.safetensors', 'params.json'],
  ],
])('%s', (_what, all, kept) => expect(chosen(...all)).toEqual(kept));
