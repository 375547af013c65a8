import { registerHooks } from 'node:module';

const TEST_MODULE = '/bindings/utils/testBindingBinary.js';
const passes = `data:text/javascript,${encodeURIComponent('export const testBindingBinary = async () => true;')}`;

/**
 * Loads node-llama-cpp. Without its trial of the native code in one more process: this process is there to crash in the
 * place of the daemon, the trial takes half of the start, and in the desktop program it would start that program again.
 */
export async function loadLibrary(): Promise<typeof import('node-llama-cpp')> {
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
