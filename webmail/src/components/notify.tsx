import { Button, Toast, ToastFooter, ToastTitle, useToastController } from '@fluentui/react-components';
import { useId, useMemo, useRef } from 'react';
import { messageOf } from '../lib/api-error.ts';

export const TOASTER_ID = 'app';

interface Action {
  label: string;
  run: () => void;
}

interface Notice {
  intent: 'success' | 'info' | 'error';
  text: string;
  timeout: number;
  action?: Action | undefined;
}

export interface Notify {
  success: (text: string, action?: Action) => void;
  info: (text: string, action?: Action) => void;
  error: (error: unknown) => void;
}

const SHORT_MS = 5_000;
const LONG_MS = 8_000;

/** Toasts in one voice; they are announced to screen readers by Fluent's toaster. */
export function useNotify(): Notify {
  const { dispatchToast, dismissToast } = useToastController(TOASTER_ID);
  const prefix = useId();
  const count = useRef(0);
  return useMemo(() => {
    const show = ({ intent, text, timeout, action }: Notice): void => {
      count.current += 1;
      const toastId = `${prefix}-${count.current}`;
      const handleAction = (): void => {
        dismissToast(toastId);
        action?.run();
      };
      dispatchToast(
        <Toast>
          <ToastTitle>{text}</ToastTitle>
          {action && (
            <ToastFooter>
              <Button size="small" appearance="primary" onClick={handleAction}>
                {action.label}
              </Button>
            </ToastFooter>
          )}
        </Toast>,
        { intent, timeout, toastId },
      );
    };
    return {
      success: (text, action) => show({ intent: 'success', text, timeout: SHORT_MS, action }),
      info: (text, action) => show({ intent: 'info', text, timeout: SHORT_MS, action }),
      error: (error) => show({ intent: 'error', text: messageOf(error), timeout: LONG_MS }),
    };
  }, [dispatchToast, dismissToast, prefix]);
}
