import type { StoreApp, StoreSort } from '../../../daemon/contract/apps/store.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LikeIcon, SecretIcon } from '../../parts/icons.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { StoreControl } from './StoreControl.tsx';
import { StoreState } from './StoreState.tsx';

/** The card of a hub app, labelled with its repository id, since titles are not unique. */
export function StoreCard({ app, sort }: { readonly app: StoreApp; readonly sort: StoreSort }) {
  const { id, title, description, emoji } = app;
  // The date that the list is sorted by.
  const isRecent = sort === 'recent';
  const at = isRecent ? app.createdAt : app.updatedAt;
  return (
    <AppCardFrame
      app={{ name: id, title, description, emoji }}
      href={hrefOf('apps', { spaceId: id })}
      state={<StoreState app={app} />}
    >
      <StoreControl app={app} />
      <p className="app-card-meta">
        <span className="store-meta">
          <Likes count={app.likes} />
          {at && (
            <>
              {' · '}
              {isRecent ? 'added' : 'updated'} <TimeAgo at={at} />
            </>
          )}
          {app.private && (
            <>
              {' · '}
              <SecretIcon size={14} /> private
            </>
          )}
        </span>
      </p>
    </AppCardFrame>
  );
}

export function Likes({ count }: { readonly count: number }) {
  return (
    <span className="store-likes">
      <LikeIcon size={14} /> {count.toLocaleString()}
      <span className="visually-hidden">{count === 1 ? ' like' : ' likes'}</span>
    </span>
  );
}
