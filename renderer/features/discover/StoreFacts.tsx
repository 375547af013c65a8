import type { StoreAppDetail } from '../../../daemon/contract/apps/store.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { minorVersion, shortCommit } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { Likes } from './StoreCard.tsx';
import { ProblemList } from './StoreProblems.tsx';

/** Lists the requirements of a hub app. */
export function StoreFacts({ app }: { readonly app: StoreAppDetail }) {
  const { problems, pythonDownload, sizeBytes, requiresPython, dependencies } = app;
  const models = needsText(app.needs);
  return (
    <>
      {pythonDownload !== null && (
        <Note
          tone="idle"
          title={`It needs Python ${minorVersion(pythonDownload)}, which the install offers to download.`}
        >
          <ProblemList problems={problems} />
        </Note>
      )}
      <dl className="facts">
        <Fact name="Download">{sizeBytes === null ? 'unknown' : byteText(sizeBytes)}</Fact>
        <Fact name="Python">{requiresPython ?? 'any'}</Fact>
        <Fact name="Packages">
          {dependencies.length > 0 ? <span className="mono">{dependencies.join(', ')}</span> : 'none'}
        </Fact>
        {models !== null && <Fact name="Models">{models}</Fact>}
        <Fact name="App">
          <span className="mono">{app.appName ?? 'unknown'}</span>
          {app.version && ` ${app.version}`}
        </Fact>
        <Fact name="Author">
          <Foreign>{app.author}</Foreign>
        </Fact>
        <Fact name="Likes">
          <Likes count={app.likes} />
        </Fact>
        {app.updatedAt && (
          <Fact name="Updated">
            <TimeAgo at={app.updatedAt} />
          </Fact>
        )}
        {app.commit && (
          <Fact name="Commit">
            <span className="mono" title={app.commit}>
              {shortCommit(app.commit)}
            </span>
          </Fact>
        )}
        {app.private && <Fact name="Private">visible with your account only</Fact>}
      </dl>
      <p>
        <a href={app.url} target="_blank" rel="noopener noreferrer">
          See it on the hub
        </a>
      </p>
    </>
  );
}
