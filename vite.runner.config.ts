/** Bundles the program that serves models into one file, which packages hold outside of their archive. */
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: ['node-llama-cpp'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/node',
    emptyOutDir: false,
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      external: ['node-llama-cpp', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      input: { 'llama-runner': 'daemon/llama-runner/main.ts' },
      output: {
        format: 'cjs',
        comments: { legal: true, annotation: false, jsdoc: false },
        entryFileNames: '[name].cjs',
      },
    },
  },
});
