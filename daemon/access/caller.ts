/** Whoever calls, known by a token or by a dashboard's session. */
export interface Caller {
  readonly kind: 'token' | 'session';
  /** The token's, also of a session that was opened with one. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Where the caller may deploy; null: everywhere. */
  readonly namespaces: readonly string[] | null;
}

/** The namespace that is meant where none is named. */
const USUAL_NAMESPACE = 'local';

/** Whether the caller may see and change endpoints at all; in which namespaces, `mayUse` says. */
export function mayDeploy({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes('deploy');
}

export function mayUse({ namespaces }: Caller, namespace: string): boolean {
  return namespaces?.includes(namespace) ?? true;
}

/** The namespace that a caller means who names none. */
export function namespaceOf(caller: Caller | null): string {
  return caller?.namespaces?.[0] ?? USUAL_NAMESPACE;
}
