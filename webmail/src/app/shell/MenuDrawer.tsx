import { DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { type ReactNode, useEffect } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { Logo } from '../../components/Logo.tsx';
import { useFocusReturn } from '../../hooks/use-focus-return.ts';
import { useLastingFocusManager } from '../../hooks/use-lasting-focus-manager.tsx';
import { closeByBack } from '../../lib/back-closes.ts';
import { useWords } from '../../lib/i18n.ts';
import { shellWords } from '../../words/shell.ts';

interface Props {
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on small screens. Rendered only while it is open. */
export default function MenuDrawer({ onClose, children }: Props) {
  useFocusReturn();
  useLastingFocusManager();
  const t = useWords(shellWords);
  useEffect(() => closeByBack(onClose), [onClose]);
  return (
    <OverlayDrawer open size="small" onOpenChange={(_event, data) => !data.open && onClose()}>
      <DrawerHeader>
        <DrawerHeaderTitle action={<IconButton label={t.closeMenu} icon={<DismissRegular />} onClick={onClose} />}>
          <Logo />
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>{children}</DrawerBody>
    </OverlayDrawer>
  );
}
