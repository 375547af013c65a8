/** Warnings of the library that say nothing about the model's answers. */
const harmless = [
  'to tokenize text and then detokenize it resulted in a different text',
  'model default pooling_type is',
  'n_ctx_per_seq',
  'n_ctx_seq',
];

/** Whether a line of the library's log is left out. */
export function isHarmless(message: string): boolean {
  return message.trim() === '' || harmless.some((part) => message.includes(part));
}
