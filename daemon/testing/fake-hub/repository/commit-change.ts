/** What a commit changes, before git has seen it. */
export interface CommitChange {
  readonly author: string;
  /** Seconds since 1970. */
  readonly timeS: number;
  readonly message: string;
  /** By path; null takes a file or a folder away. */
  readonly files: ReadonlyMap<string, Buffer | null>;
}

/** As git writes who made a commit, and when. */
export const signature = ({ author, timeS }: CommitChange) => `${author} <${author}@hub.invalid> ${timeS} +0000`;
