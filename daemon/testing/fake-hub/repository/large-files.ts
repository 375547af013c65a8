import { createHash } from 'node:crypto';

/** A file that git stores as a pointer. */
export interface LargeFile {
  /** The sha256 of its content, in hex. */
  readonly oid: string;
  readonly size: number;
}

/** The contents of the large files of all spaces, by their sha256. */
export class LargeFiles {
  readonly #contents = new Map<string, Buffer>();

  keep(content: Buffer): LargeFile {
    const oid = createHash('sha256').update(content).digest('hex');
    this.#contents.set(oid, content);
    return { oid, size: content.length };
  }

  get(oid: string): Buffer | undefined {
    return this.#contents.get(oid);
  }
}

/** Bigger files are large files. */
export const MAX_REGULAR_BYTES = 10 * 1024 * 1024;

const VERSION = 'version https://git-lfs.github.com/spec/v1';

export const pointerTo = ({ oid, size }: LargeFile) => Buffer.from(`${VERSION}\noid sha256:${oid}\nsize ${size}\n`);

export function parsePointer(bytes: Buffer): LargeFile | null {
  const [, version, oid, size] = /^(.+)\noid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(bytes.toString()) ?? [];
  return version === VERSION && oid && size ? { oid, size: Number(size) } : null;
}

const TRACKED = ' filter=lfs diff=lfs merge=lfs -text';

/** Whether `.gitattributes` marks a file as large, by its path or by its extension. */
export function isTracked(attributes: string, path: string): boolean {
  const patterns = attributes.split('\n').filter((line) => line.includes('filter=lfs'));
  return patterns.some((line) => {
    const pattern = line.split(/\s/)[0] ?? '';
    return pattern === path || (/^\*\.\w+$/.test(pattern) && path.endsWith(pattern.slice(1)));
  });
}

/** Adds a line to `.gitattributes` for each path that it does not cover, in the hub's format. */
export function tracking(attributes: string, paths: readonly string[]): string {
  const missing = paths.filter((path) => !isTracked(attributes, path));
  const end = attributes === '' || attributes.endsWith('\n') ? '' : '\n';
  return attributes + end + missing.map((path) => `${path}${TRACKED}\n`).join('');
}
