/** The same key for all spellings that a file system or a package index treats as the same name. */
export function appKey(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
