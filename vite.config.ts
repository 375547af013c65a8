import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { addresses } from './daemon/client/node/addresses.ts';
import { icons } from './scripts/page-icons.ts';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), icons()],
  // The page calls every operation by its address, without the contract's schemas.
  define: { DAEMON_ADDRESSES: JSON.stringify(addresses) },
  // The worker that parses READMEs has no document; packages that know that offer a module for workers.
  resolve: { conditions: ['worker', ...defaultClientConditions] },
  // The daemon replaces this text in index.html with a fresh nonce at each request.
  html: { cspNonce: '__CSP_NONCE__' },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    sourcemap: false,
    // Fonts stay files: the content security policy allows no font from a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['renderer/index.html', 'renderer/api-reference/index.html'],
      // Two chunks that a browser compiles in parallel; the API reference's page needs none of them.
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules\/(?!swagger-ui)/, tags: ['$initial'] },
            { name: 'dashboard', test: /^(?!.*(node_modules|api-reference))/, tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
