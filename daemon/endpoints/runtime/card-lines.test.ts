import { expect, test } from 'vitest';
import { CardLines } from './card-lines.ts';

const MiB = 1024 ** 2;

function useIn(lines: readonly string[]) {
  const read = new CardLines();
  for (const line of lines) read.add(line);
  return read.use;
}

/** As node-llama-cpp 3.21.1 wrote them with Mesa's software driver. */
const loaded = [
  'info: llama_prepare_model_devices: using device Vulkan0 (llvmpipe (LLVM 15.0.6, 256 bits)) (unknown id) - 2048 MiB free',
  'info: load_tensors: offloading 1 repeating layers to GPU',
  'info: load_tensors: offloaded 3/3 layers to GPU',
  'info: load_tensors:   CPU_Mapped model buffer size =     0.07 MiB',
  'info: load_tensors:      Vulkan0 model buffer size =     0.43 MiB',
  'info: llama_context: Vulkan_Host  output buffer size =     0.00 MiB',
  'info: llama_kv_cache:    Vulkan0 KV buffer size =     0.12 MiB',
  'info: sched_reserve:    Vulkan0 compute buffer size =     0.45 MiB',
  'info: sched_reserve: Vulkan_Host compute buffer size =     0.26 MiB',
];

test('the layers and the memory on a card', () => {
  expect(useIn(loaded)).toEqual({
    ...{ card: 'llvmpipe (LLVM 15.0.6, 256 bits)', layers: 3, totalLayers: 3 },
    memoryBytes: Math.round(1.0 * MiB),
  });
});

test('a model split across cards has the memory of both', () => {
  const lines = [
    'llama_prepare_model_devices: using device CUDA0 (One) (0000:01:00.0) - 8000 MiB free',
    'llama_prepare_model_devices: using device CUDA1 (Two) (0000:02:00.0) - 8000 MiB free',
    'load_tensors: offloaded 33/33 layers to GPU',
    'load_tensors:        CUDA0 model buffer size =  2000.00 MiB',
    'load_tensors:        CUDA1 model buffer size =  1000.00 MiB',
  ];
  expect(useIn(lines)).toEqual({ card: 'One + Two', layers: 33, totalLayers: 33, memoryBytes: 3_000 * MiB });
});

test('a compute buffer that is reserved again counts once, a cache in several parts in sum', () => {
  const lines = [
    'load_tensors: offloaded 3/25 layers to GPU',
    'llama_kv_cache:    Vulkan0 KV buffer size =     10.00 MiB',
    'llama_kv_cache:    Vulkan0 KV buffer size =     5.00 MiB',
    'sched_reserve:    Vulkan0 compute buffer size =     7.00 MiB',
    'sched_reserve:    Vulkan0 compute buffer size =     9.00 MiB',
  ];
  expect(useIn(lines)).toEqual({ card: '', layers: 3, totalLayers: 25, memoryBytes: 24 * MiB });
});

test('a model that is on the processor has no layers on a card; with nothing said there is no use', () => {
  expect(useIn(['load_tensors: offloaded 0/25 layers to GPU'])).toMatchObject({ layers: 0, memoryBytes: 0 });
  expect(useIn([])).toBeNull();
  expect(useIn(['load_tensors:   CPU_Mapped model buffer size =     0.07 MiB'])).toBeNull();
});
