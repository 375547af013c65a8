/** The content of a commit to create. */
export interface CommitChange {
  readonly author: string;
  /** Seconds since 1970. */
  readonly timeS: number;
  readonly message: string;
  /** By path; null removes a file or a folder. */
  readonly files: ReadonlyMap<string, Buffer | null>;
}

/** The author and time in git's format. */
export const signature = ({ author, timeS }: CommitChange) => `${author} <${author}@hub.invalid> ${timeS} +0000`;
