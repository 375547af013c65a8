import { Button } from '@mantine/core';
import type { JobFailure } from '../../../daemon/contract/jobs.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './found-apps.css';

interface FoundAppsProps {
  readonly failure: JobFailure;
  /** Default: installs it. */
  readonly onChoose?: (address: string) => void;
}

/** Lists the apps of a folder or repository that is no app itself, to install one with a click. */
export function FoundApps({ failure, onChoose }: FoundAppsProps) {
  const { apps = [] } = failure;
  if (apps.length === 0) return null;
  return (
    <ul className="found-apps" aria-label="Apps found there">
      {apps.map(({ name, address }) => (
        <FoundApp key={address} name={name} address={address} onChoose={onChoose} />
      ))}
    </ul>
  );
}

interface FoundAppProps {
  readonly name: string;
  readonly address: string;
  readonly onChoose: ((address: string) => void) | undefined;
}

function FoundApp({ name, address, onChoose }: FoundAppProps) {
  const installApp = useDashboard((s) => s.installApp);
  const pending = useDashboard(isPending(`install ${address}`));
  const connected = useDashboard(isConnected);
  return (
    <li>
      <span className="found-app-text">
        <span className="mono found-app-name">{name}</span>
        <span className="muted small mono found-app-address">{address}</span>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<InstallIcon size={14} />}
        disabled={!connected || pending}
        loading={pending}
        onClick={() => (onChoose ? onChoose(address) : void installApp(address))}
        aria-label={`Install ${name}`}
      >
        Install
      </Button>
    </li>
  );
}
