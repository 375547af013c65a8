import type { PublicationPreview } from '../../../daemon/contract/apps/own-apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { changeText } from './publish-text.ts';
import '../../parts/figures.css';

/** The files that a publication adds, changes or removes, with their sizes. */
export function ChangeTable({ changes }: Pick<PublicationPreview, 'changes'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="change-table" aria-label="Files that differ" tabIndex={0}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Difference</th>
            <th scope="col" className="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, change, bytes }) => (
            <tr key={path}>
              <th scope="row" className="mono">
                <Foreign>{path}</Foreign>
              </th>
              <td>{changeText[change]}</td>
              <td className="number">{change === 'removed' ? '–' : byteText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
