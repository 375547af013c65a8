import './log-text.css';

const CHUNK_LINES = 20;

/** Up to thousands of lines of a log, in an element that keeps white space: the browser skips the layout of those out of sight. */
export function LogText({ lines }: { readonly lines: readonly string[] }) {
  const chunks: string[] = [];
  for (let from = 0; from < lines.length; from += CHUNK_LINES) {
    const chunk = lines.slice(from, from + CHUNK_LINES);
    chunks.push(chunk.map((line) => `${line}\n`).join(''));
  }
  return chunks.map((chunk, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
    <span className="log-chunk" key={index}>
      {chunk}
    </span>
  ));
}
