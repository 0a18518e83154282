import {
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItemRadio,
  MenuList,
  MenuPopover,
} from '@fluentui/react-components';
import type { MenuProps } from '../../components/LazyMenu.tsx';
import { chooseDensity, chooseTheme } from '../../lib/choices.ts';
import { useWords } from '../../lib/i18n.ts';
import { densityChoices, themeChoices, useLook } from '../../theme/look.ts';
import { shellWords } from '../../words/shell.ts';

/** The choice of light or dark, and of roomy or dense. */
export default function LookMenu({ target, onClose }: MenuProps) {
  const t = useWords(shellWords);
  const { theme, density } = useLook();
  const themeNames = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
      checkedValues={{ theme: [theme], density: [density] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const pickedTheme = themeChoices.find((item) => item === checkedItems[0]);
        const pickedDensity = densityChoices.find((item) => item === checkedItems[0]);
        if (pickedTheme) chooseTheme(pickedTheme);
        if (pickedDensity) chooseDensity(pickedDensity);
      }}
    >
      <MenuPopover>
        <MenuList aria-label={t.look}>
          <MenuGroup>
            <MenuGroupHeader>{t.theme}</MenuGroupHeader>
            {themeChoices.map((item) => (
              <MenuItemRadio key={item} name="theme" value={item}>
                {themeNames[item]}
              </MenuItemRadio>
            ))}
          </MenuGroup>
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>{t.density}</MenuGroupHeader>
            {densityChoices.map((item) => (
              <MenuItemRadio key={item} name="density" value={item}>
                {t[item]}
              </MenuItemRadio>
            ))}
          </MenuGroup>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
