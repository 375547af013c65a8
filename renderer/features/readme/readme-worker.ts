/** The script of the worker that parses a README: receives Markdown, posts its tree. */
import { readmeTree } from './readme-tree.ts';

globalThis.addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(readmeTree(data)), {
  once: true,
});
