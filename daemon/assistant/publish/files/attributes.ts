const LARGE = /\bfilter=lfs\b/;

/**
 * The `.gitattributes` to publish: the folder's own, with the lines that the hub added to the Space's for large files.
 * @param published of the Space; empty: it has none
 */
export function attributesToPublish(own: string, published: string): string {
  const lines = new Set(own.split(/\r?\n/));
  const added = published.split(/\r?\n/).filter((line) => LARGE.test(line) && !lines.has(line));
  const end = own === '' || own.endsWith('\n') ? '' : '\n';
  return added.length === 0 ? own : `${own}${end}${added.join('\n')}\n`;
}
