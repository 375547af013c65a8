/** The pages that are open, for those whom Chromium tells of a page by its id. */

interface OpenContents {
  /** Null until Chromium has opened it. */
  readonly targetId: string | null;
  readonly session: object;
}

export const openContents = new Set<OpenContents>();

export function contentsOfTarget(id: string): OpenContents | undefined {
  return [...openContents].find(({ targetId }) => targetId === id);
}
