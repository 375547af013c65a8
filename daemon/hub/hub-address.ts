/**
 * The hub's address, without a slash at its end.
 * @param chosen null: the default of the hub's library, which is then loaded
 */
export async function hubAddress(chosen: string | null): Promise<string> {
  const address = chosen ?? (await import('@huggingface/hub')).HUB_URL;
  return address.replace(/\/+$/, '');
}
