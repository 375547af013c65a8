import { expect, test } from 'vitest';
import { variableProblem } from './llama-variables.ts';

test.each([
  ['LLAMA_ARG_TOP_K', '4'],
  ['LLAMA_ARG_TEMPERATURE', '0.2'],
  ['LLAMA_ARG_TEMP', '0.2'],
  ['LLAMA_ARG_THINK_BUDGET', '0'],
  ['GGML_CUDA_ENABLE_UNIFIED_MEMORY', '1'],
  ['GGML_VK_VISIBLE_DEVICES', '0'],
  ['CUDA_VISIBLE_DEVICES', '0,1'],
  ['OMP_NUM_THREADS', null],
])('%s is passed on', (name, value) => {
  expect(variableProblem(name, value)).toBeNull();
});

test.each([
  ['LD_PRELOAD', 'takes only variables that begin with LLAMA_, GGML_, CUDA_, OMP_'],
  ['PATH', 'takes only'],
  ['NODE_OPTIONS', 'takes only'],
  ['HF_TOKEN', 'takes only'],
  ['GGML_BACKEND_PATH', 'files or libraries'],
  ['ggml_backend_path', 'files or libraries'],
  ['CUDA_INJECTION64_PATH', 'files or libraries'],
  ['OMP_TOOL_LIBRARIES', 'files or libraries'],
  ['LLAMA_CACHE', 'files or libraries'],
  ['LLAMA_API_KEY', 'files or libraries'],
  ['LLAMA_SERVER_SLOTS_DEBUG', 'files or libraries'],
  ['LLAMA_ARG_MODEL', "Use the image's own field"],
  ['LLAMA_ARG_HOST', 'The daemon sets'],
  ['LLAMA_ARG_API_KEY_FILE', 'an argument that is refused'],
  ['LLAMA_ARG_TOOLS', 'an argument that is refused'],
  ['LLAMA_ARG_MCP_SERVERS_JSON', 'an argument that is refused'],
  ['LLAMA_ARG_STATIC_PATH', 'an argument that is refused'],
  ['LLAMA_ARG_THREADS', 'an argument that is refused'],
  ['LLAMA_ARG_SOMETHING_NEW', 'an argument that is refused'],
])('%s is refused', (name, why) => {
  expect(variableProblem(name, null)).toContain(why);
});

test('a number of threads that no machine can serve is refused', () => {
  expect(variableProblem('LLAMA_ARG_THREADS_HTTP', '1024')).toBeNull();
  expect(variableProblem('LLAMA_ARG_THREADS_HTTP', '1025')).toBe('LLAMA_ARG_THREADS_HTTP is at most 1024.');
});

test('a path is no value', () => {
  expect(variableProblem('GGML_METAL_X', '/tmp/x')).toContain('is a path');
  expect(variableProblem('LLAMA_ARG_CHAT_TEMPLATE', '/etc/passwd')).toContain('is a path');
});
