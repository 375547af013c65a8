import type { AppNames } from '../../../daemon/contract/apps/app-names.ts';
import { Fact } from '../../parts/Fact.tsx';
import { folderIn } from './own-app-text.ts';

interface NamePreviewProps {
  /** null: the name is not typed yet. */
  readonly names: AppNames | null;
  readonly destination: string;
}

/** Shows what will be created, while the name is typed. Its place is kept before. */
export function NamePreview({ names, destination }: NamePreviewProps) {
  return (
    <dl className="facts name-preview" aria-label="What will be created">
      <Fact name="Folder">
        <span className="mono">{names && destination ? folderIn(destination, names.package) : '–'}</span>
      </Fact>
      <Fact name="Package">
        <span className="mono">{names?.package ?? '–'}</span>
      </Fact>
    </dl>
  );
}
