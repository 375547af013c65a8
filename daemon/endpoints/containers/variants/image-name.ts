/** The beginning of a url that names an engine and an accelerator, such as `engines/vllm:gpu`, and no registry. */
const ENGINES = 'engines/';
const ENGINE = /^[a-z0-9]+:[a-z0-9_]+$/;

/** `docker://`, which some programs write in front, means nothing more. */
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const REGISTRY = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+|\[[0-9a-f:]+\]|[a-z0-9.-]+(?=:))(?::\d{1,5})?$/i;
const PATH = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_LENGTH = 400;

/** The registry of names without one. */
const DEFAULT_REGISTRY = 'docker.io';
const DEFAULT_TAG = 'latest';

/** The engine and accelerator that a url names, such as `vllm:gpu`; null: it names an image. */
export function engineOf(url: string): string | null {
  return url.startsWith(ENGINES) ? url.slice(ENGINES.length) : null;
}

/**
 * The full name of an image, with its registry and a tag or a digest, as every container engine understands it:
 * `me/app` is `docker.io/me/app:latest`.
 * @returns or why it is no name of an image, in one sentence
 */
export function imageName(url: string): { readonly image: string } | { readonly problem: string } {
  const [scheme, kind] = SCHEME.exec(url) ?? ['', 'docker'];
  if (kind?.toLowerCase() !== 'docker') {
    return { problem: `Write the name of the image without ${scheme}, such as ghcr.io/owner/name:1.0.` };
  }
  const parts = partsOf(url.slice(scheme.length));
  if (parts === null || url.length > MAX_LENGTH) {
    return { problem: `"${url.slice(0, 100)}" is no name of an image. Write one such as ghcr.io/owner/name:1.0.` };
  }
  const { registry, path, tag, digest } = parts;
  return { image: `${registry}/${path}${tag === null ? '' : `:${tag}`}${digest === null ? '' : `@${digest}`}` };
}

/** Why a url names neither an image nor an engine, in one sentence; null: it names one. */
export function urlProblem(url: string): string | null {
  const engine = engineOf(url);
  if (engine === null) {
    const name = imageName(url);
    return 'problem' in name ? name.problem : null;
  }
  if (ENGINE.test(engine)) return null;
  return `"${url.slice(0, 100)}" names no engine. Write an engine and an accelerator, such as engines/vllm:gpu.`;
}

function isRegistry(text: string): boolean {
  const port = Number(/:(\d+)$/.exec(text)?.[1] ?? 443);
  return REGISTRY.test(text) && port >= 1 && port <= 65_535;
}

function partsOf(name: string) {
  const [rest = '', digest = null, ...more] = name.split('@');
  const first = rest.indexOf('/');
  const hasRegistry = first > 0 && isRegistry(rest.slice(0, first));
  const registry = hasRegistry ? rest.slice(0, first) : DEFAULT_REGISTRY;
  const [path = '', tag = null, ...others] = rest.slice(hasRegistry ? first + 1 : 0).split(':');
  const folders = path.split('/');
  const isName = more.length === 0 && others.length === 0 && folders.every((folder) => PATH.test(folder));
  if (!isName || (tag !== null && !TAG.test(tag)) || (digest !== null && !DIGEST.test(digest))) return null;
  const isOfficial = registry === DEFAULT_REGISTRY && folders.length === 1;
  return {
    registry,
    path: isOfficial ? `library/${path}` : path,
    tag: tag ?? (digest === null ? DEFAULT_TAG : null),
    digest,
  };
}
