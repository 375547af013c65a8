/**
 * The hub's address, without a slash at its end.
 * @param chosen null: the default of the hub's library, which is then loaded
 */
export async function hubAddress(chosen: string | null): Promise<string> {
  const address = chosen ?? (await import('@huggingface/hub')).HUB_URL;
  return address.replace(/\/+$/, '');
}

export interface HubRepository {
  readonly type: 'space' | 'model';
  /** `owner/name` */
  readonly id: string;
}

/** Its name in a sentence: `Space a/b`, `model a/b`. */
export const repositoryText = ({ type, id }: HubRepository) => `${type === 'space' ? 'Space' : type} ${id}`;

/** The address of its files on a hub, without a slash at its end. */
export const repositoryAddress = (hubUrl: string, { type, id }: HubRepository) =>
  `${hubUrl}/${type === 'space' ? 'spaces/' : ''}${id}`;
