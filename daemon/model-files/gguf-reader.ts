/**
 * Reads the header of a GGUF file in a worker thread: a large vocabulary takes a second to parse, and a hostile header all
 * the memory that it may have.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { GGMLFileQuantizationType, gguf } from '@huggingface/gguf';
import { type GgufHeader, summarizeHeader } from './gguf-facts.ts';

export type GgufReply = { readonly header: GgufHeader } | { readonly problem: string };

async function read(path: string): Promise<GgufReply> {
  try {
    return { header: summarizeHeader(await gguf(path, { allowLocalFile: true }), GGMLFileQuantizationType) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

void read(String(workerData)).then((reply) => parentPort?.postMessage(reply));
