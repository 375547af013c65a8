/** Bundles the daemon and the desktop program into dist/node. */
import { builtinModules } from 'node:module';
import { defineConfig, type Plugin } from 'vite';

/** V8 stores an ASCII source in half the memory; one table of Chinese characters would double a whole chunk. */
export const ascii: Plugin = {
  name: 'ascii',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0080-\uffff]/g, escaped);
    }
  },
};
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The comments above the modules of packages, without the path of a node_modules that is a link to another folder. */
const places: Plugin = {
  name: 'places',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/^\/\/ \S+\/node_modules\//gm, '// node_modules/');
    }
  },
};

/** The folder is shared by all entries. In a package it cannot be created, and Node runs without a cache. */
const compileCache =
  "require('node:module').enableCompileCache(require('node:path').join(__dirname, '../.compile-cache'));";

export default defineConfig({
  publicDir: false,
  plugins: [ascii, places],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/node',
    emptyOutDir: true,
    // Errors and profiles show readable code without source maps, which would slow down each start.
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      external: ['electron', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      input: {
        'command-line': 'daemon/cli/command-line.ts',
        main: 'electron/main.ts',
        'gguf-reader': 'daemon/model-files/gguf-reader.ts',
        'app-assistant': 'daemon/cli/assistant/app-assistant.ts',
        // For scripts/start.ts, which loads only this before the window opens.
        'daemon-arguments': 'daemon/cli/daemon-arguments.ts',
      },
      output: {
        format: 'cjs', // some of the packages are CommonJS and ask for `__filename`
        comments: { legal: true, annotation: false, jsdoc: false },
        entryFileNames: '[name].cjs',
        // The serial port's library looks for its native code in the folder above.
        chunkFileNames: 'chunks/[name]-[hash].cjs',
        // The compile cache covers code loaded after this line: the chunks, which hold nearly all of it.
        intro: ({ name }) => (name === 'main' ? compileCache : ''),
      },
    },
  },
});
