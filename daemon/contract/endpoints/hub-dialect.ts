/**
 * The hub's own services, and the clients made for them, say some words with the hub's name in them where the
 * specification has neutral ones. This is the one place that knows both: ours, then theirs.
 */
const variants = { hub: 'huggingface', hubNeuron: 'huggingfaceNeuron', hubServe: 'hfServe' };
const members = { hubAutoCastType: 'hfAutoCastType', hubNumCores: 'hfNumCores' };

/** An endpoint, or what is to become or change one, in the specification's words. What is none is left as it is. */
export function inOurWords(endpoint: unknown): unknown {
  const renamed = withImage(endpoint, flipped(variants), flipped(members));
  // The older name of the same thing, which older clients still send.
  return isObject(renamed) && renamed['type'] === 'protected' ? { ...renamed, type: 'authenticated' } : renamed;
}

/** The same endpoint in the hub's words. */
export function inHubWords(endpoint: unknown): unknown {
  return withImage(endpoint, variants, members);
}

type Names = Readonly<Record<string, string>>;

function withImage(endpoint: unknown, variantNames: Names, memberNames: Names): unknown {
  if (!isObject(endpoint) || !isObject(endpoint['model']) || !isObject(endpoint['model']['image'])) return endpoint;
  const image = Object.entries(renamed(endpoint['model']['image'], variantNames)).map(([variant, container]) => [
    variant,
    isObject(container) ? renamed(container, memberNames) : container,
  ]);
  return { ...endpoint, model: { ...endpoint['model'], image: Object.fromEntries(image) } };
}

/** A key whose other name is there too keeps its own, so that neither is lost and what is one too many is seen. */
function renamed(object: Record<string, unknown>, names: Names): Record<string, unknown> {
  const nameOf = (key: string) => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    return name === undefined || Object.hasOwn(object, name) ? key : name;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [nameOf(key), value]));
}

function flipped(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
