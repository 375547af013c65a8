import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 32 random bytes: long enough that an unsalted hash is safe to store. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Without those that look or sound like another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A code that a person can read and type, `K7QF-2MXP-9TWD`: 12 of 30 letters, 58 bits. Too short to be stored as a hash, and
 * long enough for the minutes that it is valid.
 */
export function newTypedCode(): string {
  const letters = Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

/** SHA-256 as base64url, 43 characters. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Finds the entry of a secret. Compares all entries in constant time, so that timing reveals nothing. */
export function findBySecret<T extends { readonly hash: string }>(entries: readonly T[], secret: string): T | null {
  const given = Buffer.from(hashOf(secret));
  let found: T | null = null;
  for (const one of entries) if (timingSafeEqual(Buffer.from(one.hash), given)) found = one;
  return found;
}
