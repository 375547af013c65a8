import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes: nobody guesses it, so a plain hash of it is as good as it was long. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** SHA-256 as base64url, 43 characters. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Finds what belongs to a secret. Every one is compared in full, so that the time it takes tells nothing. */
export function findBySecret<T extends { readonly hash: string }>(kept: readonly T[], secret: string): T | null {
  const given = Buffer.from(hashOf(secret));
  let found: T | null = null;
  for (const one of kept) if (timingSafeEqual(Buffer.from(one.hash), given)) found = one;
  return found;
}
