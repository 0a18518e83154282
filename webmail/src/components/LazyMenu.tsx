import { Button, type ButtonProps, makeStyles, mergeClasses } from '@fluentui/react-components';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { fingerSize } from '../theme/styles.ts';
import { lazyExtra } from './lazy-extra.tsx';
import type { RowAction } from './list/columns.ts';

const useStyles = makeStyles({ small: fingerSize });

export interface MenuProps {
  /** The button that the menu belongs to. */
  target: HTMLElement;
  onClose: (event: { target: EventTarget | null }) => void;
  /** What it offers, for a menu that does not know by itself. */
  items?: RowAction[] | undefined;
}

type LazyMenuPart = ReturnType<typeof lazyExtra<MenuProps>>;

/** A menu for `LazyMenu`, fetched when it is first wanted. */
export function lazyMenu(load: () => Promise<{ default: ComponentType<MenuProps> }>): LazyMenuPart {
  return lazyExtra(load);
}

interface Props extends Pick<ButtonProps, 'shape' | 'className' | 'size'> {
  label: string;
  icon: ReactNode;
  /** The menu itself, made with `lazyMenu`. */
  menu: LazyMenuPart;
  items?: RowAction[];
}

/**
 * A button whose menu is fetched when it is first wanted: menus need much that no first screen
 * does.
 */
export function LazyMenu({ label, icon, menu: Menu, items, className, ...look }: Props) {
  const styles = useStyles();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleClose: MenuProps['onClose'] = ({ target }) => {
    const button = buttonRef.current;
    // A press on the button itself is answered by the button
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
        onPointerEnter={Menu.prepare}
        onFocus={Menu.prepare}
        // A second press while the menu is loading does not take the first one back
        onClick={() => setOpen(!isOpen || !Menu.isReady())}
        {...look}
        className={mergeClasses(look.size === 'small' && styles.small, className)}
      />
      {isOpen && buttonRef.current && <Menu target={buttonRef.current} items={items} onClose={handleClose} />}
    </>
  );
}
