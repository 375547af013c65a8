/**
 * Bundles the guardian, or what it does in an emergency: one file each, with all its libraries, which packages hold outside
 * of their archive. The guardian reads the other file when it starts.
 */
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { ascii } from './vite.node.config.ts';

/** The inputs by the name of the built file. scripts/build.ts builds one after the other. */
export const guardInputs = { guard: 'daemon/guardian/main.ts', rescue: 'daemon/create-rescue.ts' };

const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);

export default defineConfig({
  publicDir: false,
  plugins: [ascii],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/node',
    emptyOutDir: false,
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      // The guardian has loaded the native code of the serial port, and gives it to the library.
      external: (id, importer) =>
        builtins.has(id) || (id === 'node-gyp-build' && importer?.includes('bindings-cpp') === true),
      output: {
        format: 'cjs',
        codeSplitting: false,
        comments: { legal: true, annotation: false, jsdoc: false },
        // The guardian keeps the text of the other file in memory. Functions and classes keep their names, for readable errors.
        minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
        entryFileNames: '[name].cjs',
      },
    },
  },
});
