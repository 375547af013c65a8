import { Modal } from '@mantine/core';
import { shortcutList } from './shortcut-text.ts';
import './shortcuts.css';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Shortcuts">
      <div className="stack">
        <dl className="shortcuts">
          {shortcutList.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="muted small">They do nothing while you type in a field or a dialog is open.</p>
      </div>
    </Modal>
  );
}
