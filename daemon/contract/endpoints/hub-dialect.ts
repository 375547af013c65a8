/**
 * The hub's services and their clients use some names that contain the hub's name, where the specification has neutral
 * ones. Here each of our names is mapped to theirs.
 */
const variants = { hub: 'huggingface', hubNeuron: 'huggingfaceNeuron', hubServe: 'hfServe' };
const members = { hubAutoCastType: 'hfAutoCastType', hubNumCores: 'hfNumCores' };

/** Translates an endpoint or a request to the specification's names. Leaves other values unchanged. */
export function toSpecificationNames(endpoint: unknown): unknown {
  const renamed = withImage(endpoint, flipped(variants), flipped(members));
  // The older name, which older clients still send.
  return isObject(renamed) && renamed['type'] === 'protected' ? { ...renamed, type: 'authenticated' } : renamed;
}

/** Translates an endpoint to the hub's names. */
export function toHubNames(endpoint: unknown): unknown {
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

/** Renames keys. Keeps a key whose new name is taken, so that both remain and the duplicate is refused. */
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
