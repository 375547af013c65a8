import * as z from 'zod';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';

/** A Space as the hub lists it. Its texts are unchecked and not safe to show. */
export interface HubApp {
  /** `owner/name` */
  readonly id: string;
  readonly commit: string | null;
  readonly author: string;
  readonly title: string;
  readonly description: string;
  readonly emoji: string;
  readonly likes: number;
  readonly private: boolean;
  /** ISO 8601 in UTC, like `updatedAt`. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** null when the hub does not list them. */
  readonly tags: readonly string[] | null;
}

/** Longer texts are cut before any processing. */
const text = z
  .string()
  .catch('')
  .transform((value) => value.slice(0, 2_000));
const moment = z.coerce
  .date()
  .transform((date) => date.toISOString())
  .nullable()
  .catch(null);

const Entry = z.object({
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
});

/** @returns null for an entry without a valid name; other missing or invalid fields are left empty */
export function readHubApp(entry: unknown): HubApp | null {
  const read = Entry.safeParse(entry);
  if (!read.success) return null;
  const { name, sha, author, cardData, likes, createdAt, updatedAt, tags } = read.data;
  return {
    id: name,
    commit: sha,
    author: author || (name.split('/')[0] ?? ''),
    title: cardData.title,
    description: cardData.short_description,
    emoji: cardData.emoji,
    likes,
    private: read.data.private,
    createdAt,
    updatedAt,
    tags,
  };
}
