import { makeStyles, Menu, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import { own } from '../../theme/own-tokens.ts';
import { useWords } from '../../lib/i18n.ts';
import { listWords } from '../../words/lists.ts';
import type { MenuProps } from '../LazyMenu.tsx';

const useStyles = makeStyles({ danger: { color: own.stateBad } });

/** What can be done with a row. */
export default function RowMenu({ target, items = [], onClose }: MenuProps) {
  const styles = useStyles();
  const t = useWords(listWords);
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
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
