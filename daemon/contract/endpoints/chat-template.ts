/** The chat templates that llama.cpp has built in, from `llama-server --help` of 0.7.0. */
export const chatTemplates = [
  ...([
    'bailing',
    'bailing-think',
    'bailing2',
    'chatglm3',
    'chatglm4',
    'chatml',
    'command-r',
    'deepseek',
    'deepseek-ocr',
    'deepseek2',
    'deepseek3',
  ] as const),
  ...([
    'exaone-moe',
    'exaone3',
    'exaone4',
    'falcon3',
    'gemma',
    'gigachat',
    'glmedge',
    'gpt-oss',
    'granite',
    'granite-4.0',
    'granite-4.1',
    'grok-2',
  ] as const),
  ...([
    'hunyuan-dense',
    'hunyuan-moe',
    'hunyuan-vl',
    'kimi-k2',
    'llama2',
    'llama2-sys',
    'llama2-sys-bos',
    'llama2-sys-strip',
    'llama3',
    'llama4',
  ] as const),
  ...([
    'megrez',
    'minicpm',
    'mistral-v1',
    'mistral-v3',
    'mistral-v3-tekken',
    'mistral-v7',
    'mistral-v7-tekken',
    'monarch',
    'openchat',
    'orion',
  ] as const),
  ...([
    'pangu-embedded',
    'phi3',
    'phi4',
    'rwkv-world',
    'seed_oss',
    'smolvlm',
    'solar-open',
    'vicuna',
    'vicuna-orca',
    'yandex',
    'zephyr',
  ] as const),
] as const;
export type ChatTemplate = (typeof chatTemplates)[number];

/** Whether a text is the name of one. */
export const isChatTemplate = (name: unknown): name is ChatTemplate =>
  (chatTemplates as readonly unknown[]).includes(name);

/** Said of an endpoint whose model has no chat template, while none is chosen for it. */
export const NO_CHAT_TEMPLATE =
  'This model has no chat template: it continues text. Use completions, or choose a template.';
