/** Largest page of lines. Its characters are bounded too, since a page of the longest lines would be 4 MB to parse. */
export const PAGE_LINES = 500;
export const PAGE_CHARACTERS = 256 * 1024;
