import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useFocusReturn } from './use-focus-return.ts';

interface Props {
  title: string;
  text: string;
  confirmLabel: string;
  /** Left out for a dialog that only tells something. */
  cancelLabel?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** One question, two buttons. Rendered only while it is asked. */
export function ConfirmDialog({ title, text, confirmLabel, cancelLabel, onConfirm, onClose }: Props) {
  useFocusReturn();
  const handleConfirm = (): void => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog open modalType="alert" onOpenChange={(_event, data) => !data.open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent>{text}</DialogContent>
          <DialogActions>
            {cancelLabel && <Button onClick={onClose}>{cancelLabel}</Button>}
            <Button appearance="primary" onClick={handleConfirm}>
              {confirmLabel}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
