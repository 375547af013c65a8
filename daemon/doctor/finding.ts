/** `broken` keeps something from working, `untidy` takes room for nothing, a `note` is worth knowing. */
export type Severity = 'broken' | 'untidy' | 'note';

/** What mends a finding, as data. Nothing of it loses what a user made. */
export type Fix =
  | { readonly kind: 'remove'; readonly paths: readonly string[] }
  /** Kept under another name, out of the way. */
  | { readonly kind: 'set-aside'; readonly path: string }
  /** Makes the version before the live one. */
  | { readonly kind: 'use-previous'; readonly key: string; readonly appName: string }
  /** The version before can no longer be returned to. */
  | { readonly kind: 'forget-previous'; readonly key: string }
  | { readonly kind: 'install-again'; readonly appName: string; readonly url: string }
  | { readonly kind: 'end-orphans' }
  | { readonly kind: 'prune-cache'; readonly uv: string; readonly cacheDir: string }
  /** Only a person can. */
  | { readonly kind: 'by-hand'; readonly how: string };

/** Something that is not as it should be. */
export interface Finding {
  /** A stable word that programs can rely on. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence. */
  readonly what: string;
  /** A path, an address or a process. */
  readonly where: string;
  readonly fix: Fix;
}

/** What became of a finding that was to be mended. */
export interface Mended {
  readonly code: string;
  readonly where: string;
  readonly done: boolean;
  /** What was done, or why nothing was, in one sentence. */
  readonly what: string;
}
