/** Bundles Electron's main process for packages, which carry no node_modules; from the source tree it runs as it stands. */
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/main',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: ['electron', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      input: 'electron/main.ts',
      // Some of the packages are CommonJS and ask for `__filename`.
      output: { format: 'cjs', entryFileNames: 'main.cjs' },
    },
  },
});
