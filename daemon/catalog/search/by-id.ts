/** Compares ids, which are ASCII only, by their bytes. */
export const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
