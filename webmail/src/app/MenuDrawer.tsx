import { DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import type { ReactNode } from 'react';
import { IconButton } from '../components/IconButton.tsx';
import { Logo } from '../components/Logo.tsx';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on small screens. */
export function MenuDrawer({ isOpen, onClose, children }: Props) {
  return (
    <OverlayDrawer open={isOpen} size="small" onOpenChange={(_event, data) => !data.open && onClose()}>
      <DrawerHeader>
        <DrawerHeaderTitle action={<IconButton label="Close menu" icon={<DismissRegular />} onClick={onClose} />}>
          <Logo />
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>{children}</DrawerBody>
    </OverlayDrawer>
  );
}
