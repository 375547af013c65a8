import type { Complain } from './problems.ts';

const NAME_CHARACTERS = 32;
const SUFFIX_CHARACTERS = 3;
const BASE = 36;

/**
 * A free name that tells which model it is of, such as `qwen3-8b-gguf-k3f`; at most 32 of a-z, 0-9 and -.
 * @param model its name, with or without its owner
 * @param random from 0 up to but not including 1
 */
export function generateName(model: string, random: () => number, isTaken: (name: string) => boolean): string {
  const slug = slugOf(model);
  for (let characters = SUFFIX_CHARACTERS; ; characters++) {
    const stem = slug.slice(0, NAME_CHARACTERS - 1 - characters).replace(/-+$/, '');
    const suffixes = BASE ** characters;
    const first = Math.floor(random() * suffixes);
    for (let step = 0; step < suffixes; step++) {
      const suffix = ((first + step) % suffixes).toString(BASE).padStart(characters, '0');
      const name = `${stem}-${suffix}`;
      if (!isTaken(name)) return name;
    }
  }
}

function slugOf(model: string): string {
  const slug = (model.split('/').at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  return /[a-z0-9]/.test(slug) ? slug : 'endpoint';
}

/** Names are unique in a daemon, whatever their namespaces. */
export function checkName(name: string, isTaken: (name: string) => boolean, complain: Complain): void {
  if (isTaken(name)) complain([], nameTaken(name));
}

export function nameTaken(name: string): string {
  return `There is already an endpoint "${name}".`;
}
