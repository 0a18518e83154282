import { Button, type ButtonProps } from '@fluentui/react-components';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react';

export interface MenuProps {
  /** The button that the menu belongs to. */
  target: HTMLElement;
  onClose: (event: { target: EventTarget | null }) => void;
}

interface FetchedMenu {
  Menu: ComponentType<MenuProps>;
  /** Begins to fetch it, as soon as somebody reaches for the button. */
  prepare: () => void;
}

export function lazyMenu(load: () => Promise<{ default: ComponentType<MenuProps> }>): FetchedMenu {
  // a failure is shown when it is opened, which asks again
  return { Menu: lazy(load), prepare: () => void load().catch(() => undefined) };
}

interface Props extends Pick<ButtonProps, 'shape' | 'className'> {
  label: string;
  icon: ReactNode;
  /** The menu itself, made with `lazyMenu`. */
  menu: FetchedMenu;
}

/** A button whose menu is fetched when it is first wanted: menus need much that no first screen does. */
export function LazyMenu({ label, icon, menu: { Menu, prepare }, ...look }: Props) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleClose: MenuProps['onClose'] = ({ target }) => {
    const button = buttonRef.current;
    // a press on the button itself is answered by the button
    if (button && target instanceof Node && button.contains(target)) return;
    setOpen(false);
    button?.focus();
  };
  return (
    <>
      <Button
        ref={buttonRef}
        appearance="subtle"
        icon={icon as ButtonProps['icon']}
        aria-label={label}
        data-tip={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(!isOpen)}
        {...look}
      />
      {isOpen && buttonRef.current && (
        <Suspense fallback={null}>
          <Menu target={buttonRef.current} onClose={handleClose} />
        </Suspense>
      )}
    </>
  );
}
