import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { Commit, SpaceId } from './app-source.ts';

/** An app that the hub offers: a Space with the tag `robot_python_app`. Its identity is `id` and `commit`. */
export const StoreApp = z
  .object({
    id: SpaceId,
    commit: Commit.nullable(),
    /** What to give to install. */
    url: z.string(),
    author: z.string(),
    title: z.string(),
    description: z.string(),
    emoji: z.string(),
    likes: z.int(),
    private: z.boolean(),
    createdAt: Timestamp.nullable(),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'StoreApp' });
export type StoreApp = z.infer<typeof StoreApp>;

export const StoreSort = z.enum(['popular', 'recent', 'updated']);
export type StoreSort = z.infer<typeof StoreSort>;

/** How the copy of the store on this machine stands. */
export const StoreStatus = z
  .object({
    hub: z.string(),
    /** When the hub was last read in full; null: never. */
    fetchedAt: Timestamp.nullable(),
    refreshing: z.boolean(),
    /** Why the last attempt to read it failed, for a person; null: it did not. */
    problem: z.string().nullable(),
    total: z.int(),
  })
  .meta({ id: 'StoreStatus' });
export type StoreStatus = z.infer<typeof StoreStatus>;

export const StorePage = z
  .object({
    apps: z.array(StoreApp),
    /** How many apps match the search, over all pages. */
    matches: z.int(),
    page: z.int(),
    pages: z.int(),
    status: StoreStatus,
  })
  .meta({ id: 'StorePage' });
export type StorePage = z.infer<typeof StorePage>;

/** All that can be told of an app before it is installed. */
export const StoreAppDetail = StoreApp.extend({
  /** The text of its README without front matter, sanitised, its beginning; plain text. */
  readme: z.string(),
  /** What a download takes, in bytes. */
  sizeBytes: z.int().nullable(),
  /** From its pyproject.toml; null where that cannot be read. */
  appName: z.string().nullable(),
  version: z.string().nullable(),
  requiresPython: z.string().nullable(),
  dependencies: z.array(z.string()),
  /** Why it could not be installed here, as far as that is known beforehand. */
  problems: z.array(z.string()),
}).meta({ id: 'StoreAppDetail' });
export type StoreAppDetail = z.infer<typeof StoreAppDetail>;

/** The account that private apps are seen with. */
export const HubAccount = z
  .object({
    hub: z.string(),
    /** The account's name; null: no token is kept. */
    name: z.string().nullable(),
    /** Why the token that is kept does not work; null: it does, or there is none. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'HubAccount' });
export type HubAccount = z.infer<typeof HubAccount>;
