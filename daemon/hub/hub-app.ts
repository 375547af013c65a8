import * as z from 'zod';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';

/** Longer texts are cut before any processing. */
const text = z
  .string()
  .catch('')
  .transform((value) => value.slice(0, 2_000));
/** ISO 8601 in UTC. */
const moment = z.coerce
  .date()
  .transform((date) => date.toISOString())
  .nullable()
  .catch(null);

/** A Space as the hub lists it. Its texts are unchecked and not safe to show. */
const HubApp = z
  .object({
    /** The library's name for the id; its `id` is a key of the hub's database. */
    name: SpaceId,
    sha: Commit.nullable().catch(null),
    author: text,
    cardData: z
      .object({ title: text, short_description: text, emoji: text })
      .catch({ title: '', short_description: '', emoji: '' }),
    likes: z.int().nonnegative().catch(0),
    private: z.boolean().catch(false),
    createdAt: moment,
    updatedAt: moment,
    tags: z.array(z.string()).nullable().catch(null),
  })
  .transform(({ name, sha, cardData, ...listed }) => ({
    ...listed,
    /** `owner/name` */
    id: name,
    commit: sha,
    author: listed.author || (name.split('/')[0] ?? ''),
    title: cardData.title,
    description: cardData.short_description,
    emoji: cardData.emoji,
    /** null when the hub does not list them. */
    tags: listed.tags as readonly string[] | null,
  }));
export type HubApp = Readonly<z.infer<typeof HubApp>>;

/** @returns null for an entry without a valid name; other missing or invalid fields are left empty */
export function readHubApp(entry: unknown): HubApp | null {
  return HubApp.safeParse(entry).data ?? null;
}
