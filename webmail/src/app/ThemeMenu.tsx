import { Menu, MenuItemRadio, MenuList, MenuPopover } from '@fluentui/react-components';
import type { MenuProps } from '../components/LazyMenu.tsx';
import { chooseTheme, type ThemeChoice, themeChoices, useThemeChoice } from '../lib/theme-choice.ts';

const themeWords: Record<ThemeChoice, string> = { system: 'Like the system', light: 'Light', dark: 'Dark' };

export default function ThemeMenu({ target, onClose }: MenuProps) {
  const { choice } = useThemeChoice();
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
      checkedValues={{ theme: [choice] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const picked = themeChoices.find((item) => item === checkedItems[0]);
        if (picked) chooseTheme(picked);
      }}
    >
      <MenuPopover>
        <MenuList aria-label="Theme">
          {themeChoices.map((item) => (
            <MenuItemRadio key={item} name="theme" value={item}>
              {themeWords[item]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
