import { Button, Toast, Toaster, ToastFooter, ToastTitle, useToastController } from '@fluentui/react-components';
import { useEffect, useId, useRef } from 'react';
import { displayNotices } from './notify.ts';

const TOASTER_ID = 'app';

/** Where notices appear. Not part of the first load: what was said before it came is shown when it comes. */
export function Toasts() {
  const { dispatchToast, dismissToast } = useToastController(TOASTER_ID);
  const prefix = useId();
  const count = useRef(0);
  useEffect(
    () =>
      displayNotices(({ intent, text, timeout, action }) => {
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
      }),
    [dispatchToast, dismissToast, prefix],
  );
  return <Toaster toasterId={TOASTER_ID} position="bottom-start" limit={3} pauseOnHover />;
}
