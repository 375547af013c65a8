import * as z from 'zod';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';

/** A Space as the hub tells of it. Its texts are as their authors wrote them: not fit to be shown yet. */
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
  /** ISO 8601 in UTC, as `updatedAt`. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** null: the hub does not say. */
  readonly tags: readonly string[] | null;
}

/** Longer texts are cut before anything looks at them. */
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
  /** The library calls it so; `id` is a key of the hub's database. */
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

/** @returns null for an entry that names no Space; what else is missing or odd is left empty */
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
