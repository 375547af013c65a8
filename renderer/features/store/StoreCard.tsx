import type { StoreApp } from '../../../daemon/contract/store.ts';
import { LikeIcon, SecretIcon } from '../../parts/icons.tsx';
import { hrefOf } from '../../parts/route.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { AppCardFrame } from '../apps/AppCardFrame.tsx';
import { StoreControl } from './StoreControl.tsx';
import { StoreState } from './StoreState.tsx';

/** An app of the hub, named by its repository: display names may be anything. */
export function StoreCard({ app }: { readonly app: StoreApp }) {
  const { id, title, description, emoji } = app;
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
          {app.updatedAt && (
            <>
              {' · '}updated <TimeAgo at={app.updatedAt} />
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
