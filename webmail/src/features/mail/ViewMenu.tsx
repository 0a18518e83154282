import {
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItemCheckbox,
  MenuItemRadio,
  MenuList,
  MenuPopover,
} from '@fluentui/react-components';
import { Fragment } from 'react';
import type { MenuProps } from '../../components/LazyMenu.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { chooseDensity } from '../../lib/choices.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW, ROOMY } from '../../theme/breakpoints.ts';
import { densityChoices, useLook } from '../../theme/look.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { shellWords } from '../../words/shell.ts';
import { afterwardsChoices, choose, panePlaces, swipeActions, useMailChoices } from './mail-choices.ts';

/** How the lists of mail look, and where a message leads that was archived or deleted. */
export default function ViewMenu({ target, onClose }: MenuProps) {
  const t = useWords(mailListWords);
  const shell = useWords(shellWords);
  const { density } = useLook();
  const isRoomy = useMedia(ROOMY);
  const isNarrow = useMedia(NARROW);
  const { isGrouped, afterwards, pane, swipeRight, swipeLeft } = useMailChoices();
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(event, data) => !data.open && onClose(event)}
      checkedValues={{
        density: [density],
        pane: [pane],
        grouping: isGrouped ? ['grouped'] : [],
        afterwards: [afterwards],
        swipeRight: [swipeRight],
        swipeLeft: [swipeLeft],
      }}
      onCheckedValueChange={(_event, { name, checkedItems }) => {
        const picked = densityChoices.find((item) => item === checkedItems[0]);
        if (name === 'density' && picked) chooseDensity(picked);
        const place = panePlaces.find((item) => item === checkedItems[0]);
        if (name === 'pane' && place) choose({ pane: place });
        if (name === 'grouping') choose({ isGrouped: checkedItems.length > 0 });
        const next = afterwardsChoices.find((item) => item === checkedItems[0]);
        if (name === 'afterwards' && next) choose({ afterwards: next });
        const swipe = swipeActions.find((item) => item === checkedItems[0]);
        if ((name === 'swipeRight' || name === 'swipeLeft') && swipe) choose({ [name]: swipe });
      }}
    >
      <MenuPopover>
        <MenuList aria-label={t.viewOptions}>
          <MenuItemCheckbox name="grouping" value="grouped">
            {t.groupChoice}
          </MenuItemCheckbox>
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>{shell.density}</MenuGroupHeader>
            {densityChoices.map((item) => (
              <MenuItemRadio key={item} name="density" value={item}>
                {shell[item]}
              </MenuItemRadio>
            ))}
          </MenuGroup>
          {isRoomy && (
            <>
              <MenuDivider />
              <MenuGroup>
                <MenuGroupHeader>{t.readingPane}</MenuGroupHeader>
                {panePlaces.map((item) => (
                  <MenuItemRadio key={item} name="pane" value={item}>
                    {{ off: t.paneOff, right: t.paneRight, bottom: t.paneBottom }[item]}
                  </MenuItemRadio>
                ))}
              </MenuGroup>
            </>
          )}
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>{t.afterwards}</MenuGroupHeader>
            {afterwardsChoices.map((item) => (
              <MenuItemRadio key={item} name="afterwards" value={item}>
                {{ list: t.afterList, next: t.afterNext, previous: t.afterPrevious }[item]}
              </MenuItemRadio>
            ))}
          </MenuGroup>
          {isNarrow && <SwipeChoices />}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

/** What a finger does that pushes a row aside. */
function SwipeChoices() {
  const t = useWords(mailListWords);
  const names = { archive: t.swipeArchive, delete: t.swipeDelete, read: t.swipeRead, none: t.swipeNone };
  return (['swipeRight', 'swipeLeft'] as const).map((side) => (
    <Fragment key={side}>
      <MenuDivider />
      <MenuGroup>
        <MenuGroupHeader>{t[side]}</MenuGroupHeader>
        {swipeActions.map((action) => (
          <MenuItemRadio key={action} name={side} value={action}>
            {names[action]}
          </MenuItemRadio>
        ))}
      </MenuGroup>
    </Fragment>
  ));
}
