/**
 * The hub's address, without a slash at its end.
 * @param chosen null: the address that the hub's library knows, which is loaded for it
 */
export async function hubAddress(chosen: string | null): Promise<string> {
  const address = chosen ?? (await import('@huggingface/hub')).HUB_URL;
  return address.replace(/\/+$/, '');
}
