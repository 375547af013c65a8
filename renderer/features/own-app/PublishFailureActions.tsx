import { Button } from '@mantine/core';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import type { JobFailure } from '../../../daemon/contract/jobs.ts';
import { hrefOfPublish } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';

interface PublishFailureActionsProps {
  readonly app: OwnApp;
  readonly failure: JobFailure;
}

/** Leads from a publication that failed to what puts it right. */
export function PublishFailureActions({ app: { id }, failure: { reason } }: PublishFailureActionsProps) {
  if (reason === 'problems-found') {
    return <Action href={hrefOf('apps', { ownAppId: id, tab: 'check' })}>See the problems</Action>;
  }
  if (reason === 'changed-elsewhere') return <Action href={hrefOfPublish(id)}>See the difference</Action>;
  return (
    <>
      {reason === 'auth' && <Action href={hrefOf('settings')}>See the hub account</Action>}
      <a href={hrefOf('activity')}>See the log</a>
    </>
  );
}

function Action({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Button component="a" variant="default" size="compact-sm" href={href}>
      {children}
    </Button>
  );
}
