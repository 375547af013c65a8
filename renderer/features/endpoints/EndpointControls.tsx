import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { PauseIcon, RemoveIcon, SleepIcon, StartIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { type EndpointOrder, endpointPlace } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ordersFor, orderWords } from './endpoint-text.ts';

const icons = { pause: PauseIcon, resume: StartIcon, sleep: SleepIcon, delete: RemoveIcon };

/** What can be done with an endpoint now. */
export function EndpointControls({ of }: { readonly of: OwnEndpoint }) {
  const [deleting, setDeleting] = useState(false);
  const orderEndpoint = useDashboard((s) => s.orderEndpoint);
  return (
    <div className="row endpoint-controls">
      {ordersFor(of.endpoint).map((order) => (
        <OrderButton key={order} of={of} order={order} onPress={() => void orderEndpoint(of, order)} />
      ))}
      <OrderButton of={of} order="delete" onPress={() => setDeleting(true)} />
      <Modal
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${of.endpoint.name}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DeleteEndpoint of={of} onClose={() => setDeleting(false)} />
      </Modal>
    </div>
  );
}

interface OrderButtonProps {
  readonly of: OwnEndpoint;
  readonly order: EndpointOrder;
  readonly onPress: () => void;
}

function OrderButton({ of, order, onPress }: OrderButtonProps) {
  const asked = useDashboard(isPending(endpointPlace(of)));
  const connected = useDashboard(isConnected);
  const Icon = icons[order];
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon size={14} />}
      disabled={!connected || asked}
      onClick={onPress}
      aria-label={`${orderWords[order]} ${of.endpoint.name}`.replace('…', '')}
    >
      {orderWords[order]}
    </Button>
  );
}

/** Says what goes before it goes. */
function DeleteEndpoint({ of, onClose }: { readonly of: OwnEndpoint; readonly onClose: () => void }) {
  const { name, model, status } = of.endpoint;
  const orderEndpoint = useDashboard((s) => s.orderEndpoint);
  const asked = useDashboard(isPending(endpointPlace(of)));
  const connected = useDashboard(isConnected);
  async function remove(): Promise<void> {
    if (!(await orderEndpoint(of, 'delete'))) return;
    onClose();
    // The button that it was asked with is gone.
    document.querySelector('h1')?.focus();
  }
  return (
    <div className="stack">
      <p>
        It serves <span className="mono">{model.repository}</span>
        {status.url !== undefined && '. Its address stops answering'}. The model stays in the catalog. This cannot be
        undone.
      </p>
      <RefusalNote place={endpointPlace(of)} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button disabled={!connected || asked} onClick={() => void remove()}>
          Delete {name}
        </Button>
      </div>
    </div>
  );
}
