import { registerHooks } from 'node:module';
import type { Llama, LlamaLogLevel } from 'node-llama-cpp';

/** The library's messages come later than its results and errors, by so much at most. */
export const LOG_MS = 100;

type Library = typeof import('node-llama-cpp');

interface Opening {
  /** Whether models may use a graphics card; false: the processor alone. */
  readonly usesCard: boolean;
  /** The most CPU threads to use. */
  readonly threads: number;
  /** Gets each message of the library that is worth a line, without its line break. */
  readonly onMessage: (level: 'error' | 'warn' | 'info' | 'debug', text: string) => void;
}

/** The builds with an interface to graphics cards, by system; elsewhere there is none. */
const cardBuilds: Readonly<Record<string, 'vulkan' | 'metal'>> = {
  'linux-x64': 'vulkan',
  'win32-x64': 'vulkan',
  'darwin-arm64': 'metal',
};
/** The systems whose only build has that interface. */
const onlyCardBuild: ReadonlySet<string> = new Set(['darwin-arm64']);

/**
 * Loads node-llama-cpp with its native code. A graphics driver is loaded with it where a card may be used: it may crash or
 * hang this process.
 * @throws Error: there is no native code for this system, or it cannot be loaded
 */
export async function openLibrary({
  usesCard,
  threads,
  onMessage,
}: Opening): Promise<{ readonly library: Library; readonly llama: Llama }> {
  const library = await importLibrary();
  const { LlamaLogLevel: levels } = library;
  const system = `${process.platform}-${process.arch}`;
  const names = new Map<LlamaLogLevel, Parameters<Opening['onMessage']>[0]>([
    [levels.fatal, 'error'],
    [levels.error, 'error'],
    [levels.warn, 'warn'],
    [levels.info, 'info'],
    [levels.log, 'info'],
    [levels.debug, 'debug'],
  ]);
  const llama = await library.getLlama({
    build: 'never',
    gpu: usesCard || onlyCardBuild.has(system) ? (cardBuilds[system] ?? false) : false,
    maxThreads: threads,
    progressLogs: false,
    logLevel: usesCard ? levels.debug : levels.warn,
    logger: (level, message) => {
      const text = message.trim();
      if (!isHarmless(text)) onMessage(names.get(level) ?? 'debug', text);
    },
  });
  return { library, llama };
}

const TEST_MODULE = '/bindings/utils/testBindingBinary.js';
const passes = `data:text/javascript,${encodeURIComponent('export const testBindingBinary = async () => true;')}`;

/**
 * Loads node-llama-cpp. Without its trial of the native code in one more process: this process is there to crash in the
 * place of the daemon, the trial takes half of the start, and in the desktop program it would start that program again.
 */
async function importLibrary(): Promise<Library> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url.endsWith(TEST_MODULE) ? { ...found, url: passes, format: 'module' } : found;
    },
  });
  try {
    return await import('node-llama-cpp');
  } finally {
    hooks.deregister();
  }
}

/** Messages of the library that say nothing about the model's answers. */
const harmless = [
  'to tokenize text and then detokenize it resulted in a different text',
  'model default pooling_type is',
  'n_ctx_per_seq',
  'n_ctx_seq',
];

function isHarmless(text: string): boolean {
  return text === '' || harmless.some((part) => text.includes(part));
}
