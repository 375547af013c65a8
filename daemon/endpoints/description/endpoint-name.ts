const NAME_CHARACTERS = 32;
const SUFFIX_CHARACTERS = 3;
const BASE = 36;

/**
 * Generates a free name from a model's, such as `qwen3-8b-gguf-k3f`: at most 32 characters of a-z, 0-9 and `-`.
 * @param model the model's name, with or without its owner
 * @param random returns a number from 0 up to but not including 1
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

/** Names are unique in their namespace. */
export function nameTaken(name: string): string {
  return `There is already an endpoint "${name}".`;
}
