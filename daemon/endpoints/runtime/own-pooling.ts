/** GGUF's value for no pooling. */
const NONE = 0;

/**
 * Whether a model's file names how the vectors of its tokens become one. llama-server uses it unless told otherwise.
 * @throws the reader's or the system's error when the file cannot be read
 */
export async function namesPooling(modelPath: string): Promise<boolean> {
  const { gguf } = await import('@huggingface/gguf');
  const { metadata } = await gguf(modelPath, { allowLocalFile: true });
  const architecture = metadata['general.architecture'];
  const pooling = Object.entries(metadata).find(([key]) => key === `${String(architecture)}.pooling_type`)?.[1];
  return typeof pooling === 'number' && pooling !== NONE;
}
