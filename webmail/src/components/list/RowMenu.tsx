import { makeStyles, Menu, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import { useState } from 'react';
import { own } from '../../theme/own-tokens.ts';
import { useWords } from '../../lib/i18n.ts';
import { listWords } from '../../words/lists.ts';
import type { MenuProps } from '../LazyMenu.tsx';

const useStyles = makeStyles({ danger: { color: own.stateBad } });

/**
 * What can be done with a row or a message. It stays where it has opened: the page may still grow,
 * and would carry it off under the finger, or off the screen.
 */
export default function RowMenu({ target, items = [], onClose }: MenuProps) {
  const styles = useStyles();
  const t = useWords(listWords);
  const [place] = useState(() => placeOf(target));
  return (
    <Menu
      open
      positioning={{ target: place, position: 'below', align: 'end', autoSize: 'height' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
    >
      <MenuPopover>
        <MenuList aria-label={t.actions}>
          {items.map(({ label, run, isDangerous }) => (
            <MenuItem key={label} className={isDangerous ? styles.danger : undefined} onClick={run}>
              {label}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function placeOf(target: HTMLElement): { getBoundingClientRect: () => DOMRect } {
  const rect = target.getBoundingClientRect();
  return { getBoundingClientRect: () => rect };
}
