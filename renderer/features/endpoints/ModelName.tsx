import type { Endpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf } from '../../navigation/route.ts';

/** The model: a link to its page in the catalog, or the path of a file of this machine. */
export function ModelName({ endpoint: { model, experimentalFeatures } }: { readonly endpoint: Endpoint }) {
  const path = experimentalFeatures.skipRepoDownload ? model.image.llamacpp?.modelPath : undefined;
  if (path !== undefined) return <span className="muted small mono endpoint-model">{path}</span>;
  if (!model.fromCatalog) return <span className="small endpoint-model">{model.repository}</span>;
  return (
    <a className="small endpoint-model" href={hrefOf('models', { modelId: model.repository })}>
      {model.repository}
    </a>
  );
}
