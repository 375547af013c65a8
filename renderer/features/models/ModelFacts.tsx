import type { ModelDetail } from '../../../daemon/contract/catalog/models.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { parameters } from '../../parts/format.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { taskText } from '../deploy/fit-text.ts';

export function ModelFacts({ model: { item, parameterCount, contextLength } }: { readonly model: ModelDetail }) {
  return (
    <dl className="facts">
      <Fact name="Repository">
        <span className="mono">{item.repoId}</span>
      </Fact>
      <Fact name="Author">
        <Foreign>{item.authorName}</Foreign>
      </Fact>
      <Fact name="Task">{taskText(item.task)}</Fact>
      <Fact name="Licence">
        <Foreign>{item.license}</Foreign>
      </Fact>
      <Fact name="Parameters">{parameterCount === null ? 'unknown' : parameters(parameterCount)}</Fact>
      <Fact name="Context">{contextLength === null ? 'unknown' : `${contextLength.toLocaleString()} tokens`}</Fact>
      <Fact name="Added">
        <TimeAgo at={item.createdAt} />
      </Fact>
    </dl>
  );
}
