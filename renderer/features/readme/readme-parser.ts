import { createContext } from 'react';
import type { TreeNode } from './readme-tree.ts';

/**
 * Parses a README. Rejects if it takes too long or cannot be parsed.
 * @param signal ends the work; the promise then stays pending
 */
export type ReadmeParser = (markdown: string, signal: AbortSignal) => Promise<TreeNode>;

/** The part of Worker in use. */
export interface ParserWorker {
  onmessage: ((message: { readonly data: TreeNode }) => void) | null;
  onerror: ((event: { preventDefault(): void }) => void) | null;
  postMessage(markdown: string): void;
  terminate(): void;
}

/** An honest README of 64 kB takes 0.2 s, on a busy machine some times as long. */
const DEADLINE_MS = 5_000;

/** Parses each README in a worker of its own, which is terminated after 5 s: the page stays responsive meanwhile. */
export function createReadmeParser(start: () => ParserWorker): ReadmeParser {
  return (markdown, signal) =>
    new Promise((resolve, reject) => {
      const worker = start();
      const timer = setTimeout(() => end(() => reject(new Error('The README takes too long to parse.'))), DEADLINE_MS);
      function end(settle: () => void): void {
        clearTimeout(timer);
        worker.terminate();
        settle();
      }
      signal.addEventListener('abort', () => end(() => {}), { once: true });
      worker.onmessage = ({ data }) => end(() => resolve(data));
      worker.onerror = (event) => {
        event.preventDefault(); // no line on the console
        end(() => reject(new Error('The README cannot be parsed.')));
      };
      worker.postMessage(markdown);
    });
}

const startWorker = () =>
  new Worker(new URL('./readme-worker.ts', import.meta.url), { type: 'module', name: 'readme' }) as ParserWorker;

export const ReadmeParserContext = createContext(createReadmeParser(startWorker));
