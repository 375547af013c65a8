import type { CatalogItem } from '../contract/catalog/catalog.ts';
import { inSteps } from './index/batches.ts';
import type { CatalogEntry } from './index/catalog-entry.ts';

/** About what a piece of a list takes; the shipped catalog is less. */
const PIECE_BYTES = 256 * 1024;

const HEAD = Buffer.from('{"items":[');
const TAIL = Buffer.from(']}');

/** The answer to who lists the catalog, `{"items": […]}`: made piece by piece, so that it is never there as a whole. */
export interface ListReply {
  readonly byteLength: number;
  /** There is a single piece. */
  readonly isSmall: boolean;
  pieces(): Iterable<Buffer>;
}

/** Every item as JSON, written once: a list is put together from their bytes. */
export class ItemsAsJson {
  /** All items in order, a comma behind each. */
  readonly #bytes: Buffer;
  /** Where each item begins, and where the last one ends. */
  readonly #bounds: Uint32Array;

  private constructor(bytes: Buffer, bounds: Uint32Array) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<ItemsAsJson> {
    const bounds = new Uint32Array(entries.length + 1);
    const parts: Buffer[] = [];
    let end = 0;
    await inSteps(entries, ({ item }, position) => {
      const part = Buffer.from(`${itemAsJson(item)},`);
      parts.push(part);
      end += part.length;
      bounds[position + 1] = end;
    });
    const bytes = Buffer.allocUnsafeSlow(end);
    await inSteps(parts, (part, position) => bytes.set(part, bounds[position]));
    return new ItemsAsJson(bytes, bounds);
  }

  /** @param positions of the items, ascending */
  list(positions: Uint32Array): ListReply {
    let itemsLength = 0;
    for (const position of positions) itemsLength += this.#bound(position + 1) - this.#bound(position);
    const byteLength = HEAD.length + Math.max(0, itemsLength - 1) + TAIL.length; // no comma behind the last
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
      else yield* parts; // a part that is as long as a piece is not copied
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

/** Exactly what the contract has: whatever else a source left in an item stays inside. */
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
