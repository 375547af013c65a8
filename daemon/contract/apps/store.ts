import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';
import { Commit, SpaceId } from './app-source.ts';
import { AppNeed } from './needs.ts';
import { Readme } from './readme.ts';

/** An app that the hub offers: a Space with the tag `robot_python_app`. Its identity is `id` and `commit`. */
export const StoreApp = named('StoreApp', {
  id: SpaceId,
  commit: Commit.nullable(),
  /** The address to install it from. */
  url: z.string(),
  author: z.string(),
  title: z.string(),
  description: z.string(),
  emoji: z.string(),
  likes: z.int(),
  private: z.boolean(),
  createdAt: Timestamp.nullable(),
  updatedAt: Timestamp.nullable(),
});
export type StoreApp = z.infer<typeof StoreApp>;

export const StoreSort = z.enum(['popular', 'recent', 'updated']);
export type StoreSort = z.infer<typeof StoreSort>;

/** The state of this machine's copy of the store. */
export const StoreStatus = named('StoreStatus', {
  hub: z.string(),
  /** When the hub was last read in full; null: never. */
  fetchedAt: Timestamp.nullable(),
  refreshing: z.boolean(),
  /** Why the last refresh failed, for a person; null: it succeeded. */
  problem: z.string().nullable(),
  total: z.int(),
});
export type StoreStatus = z.infer<typeof StoreStatus>;

export const StorePage = named('StorePage', {
  apps: z.array(StoreApp),
  /** How many apps match the search, over all pages. */
  matches: z.int(),
  page: z.int(),
  pages: z.int(),
  status: StoreStatus,
});
export type StorePage = z.infer<typeof StorePage>;

/** Details of an app before its install. */
export const StoreAppDetail = StoreApp.extend({
  readme: Readme,
  /** The download size, in bytes. */
  sizeBytes: z.int().nullable(),
  /** From its pyproject.toml; null: it cannot be read. */
  appName: z.string().nullable(),
  version: z.string().nullable(),
  requiresPython: z.string().nullable(),
  dependencies: z.array(z.string()),
  /** The models that it uses. */
  needs: z.array(AppNeed),
  /** Known reasons why it cannot be installed here. */
  problems: z.array(z.string()),
  /** The version of a Python whose download solves the only problem, `3.12.4`; null: none does. */
  pythonDownload: z.string().nullable().default(null),
}).meta({ id: 'StoreAppDetail' });
export type StoreAppDetail = z.infer<typeof StoreAppDetail>;

/** The hub account, which gives access to private apps. */
export const HubAccount = named('HubAccount', {
  hub: z.string(),
  /** The account's name; null: no token is saved. */
  name: z.string().nullable(),
  /** Why the saved token does not work; null: it works, or there is none. */
  problem: z.string().nullable(),
});
export type HubAccount = z.infer<typeof HubAccount>;
