/** Time for the browser to read the text before it is released. */
const RELEASE_MS = 60_000;

/** Saves a text as a file, where the browser or the window saves files. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
}
