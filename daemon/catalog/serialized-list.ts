import { createHash } from 'node:crypto';
import type { CatalogItem } from '../contract/catalog/catalog.ts';
import { inBatches } from './search/batches.ts';
import type { CatalogEntry } from './search/catalog-entry.ts';

/** The approximate size of a piece of a list; the shipped catalog fits into one. */
const PIECE_BYTES = 256 * 1024;

const HEAD = Buffer.from('{"items":[');
const TAIL = Buffer.from(']}');

/** The body of a catalog list, `{"items": […]}`, built piece by piece so that it is never complete in memory. */
export interface ListReply {
  readonly byteLength: number;
  /** Whether there is a single piece. */
  readonly isSmall: boolean;
  pieces(): Iterable<Buffer>;
}

/** Every item serialized once; lists are assembled from the bytes. */
export class ItemsAsJson {
  /** All items in order, a comma after each. */
  readonly #bytes: Buffer;
  /** The offset of each item, then the end of the last. */
  readonly #bounds: Uint32Array;

  /** A digest of the items and their order. */
  readonly digest: string;

  private constructor(bytes: Buffer, bounds: Uint32Array, digest: string) {
    this.digest = digest;
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<ItemsAsJson> {
    const bounds = new Uint32Array(entries.length + 1);
    const parts: Buffer[] = [];
    const hash = createHash('sha256');
    let end = 0;
    await inBatches(entries, ({ item }, position) => {
      const part = Buffer.from(`${itemAsJson(item)},`);
      parts.push(part);
      hash.update(part);
      end += part.length;
      bounds[position + 1] = end;
    });
    const bytes = Buffer.allocUnsafeSlow(end);
    await inBatches(parts, (part, position) => bytes.set(part, bounds[position]));
    return new ItemsAsJson(bytes, bounds, hash.digest('base64url'));
  }

  /** @param positions the items' positions, ascending */
  list(positions: Uint32Array): ListReply {
    let itemsLength = 0;
    for (const position of positions) itemsLength += this.#bound(position + 1) - this.#bound(position);
    const byteLength = HEAD.length + Math.max(0, itemsLength - 1) + TAIL.length; // no comma after the last
    return { byteLength, isSmall: byteLength <= PIECE_BYTES, pieces: () => this.#pieces(positions) };
  }

  *#pieces(positions: Uint32Array): Generator<Buffer> {
    let parts: Buffer[] = [HEAD];
    let size = 0;
    for (let at = 0; at < positions.length; ) {
      const start = this.#bound(positions[at]);
      let next = (positions[at++] ?? 0) + 1;
      while (positions[at] === next && this.#bound(next) - start < PIECE_BYTES) {
        next += 1; // neighbours are copied together
        at += 1;
      }
      const comma = at === positions.length ? 1 : 0;
      const part = this.#bytes.subarray(start, this.#bound(next) - comma);
      parts.push(part);
      size += part.length;
      if (size < PIECE_BYTES) continue;
      if (parts.length > 2) yield Buffer.concat(parts);
      else yield* parts; // a part as long as a piece is not copied
      parts = [];
      size = 0;
    }
    parts.push(TAIL);
    yield Buffer.concat(parts);
  }

  #bound(position = 0): number {
    return this.#bounds[position] ?? 0;
  }
}

/** Serializes the contract's fields only: a source may have left others in an item. */
function itemAsJson({ modelName, createdAt, authorName, license, repoId, task, recipes }: CatalogItem): string {
  const strict = recipes.map(({ accelerator, engineType, ggufFile, publicId, revision }) => ({
    accelerator,
    engineType,
    ggufFile,
    publicId,
    revision,
  }));
  return JSON.stringify({ modelName, createdAt, authorName, license, repoId, task, recipes: strict });
}
