import { makeStyles, tokens } from '@fluentui/react-components';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRingInside } from '../../theme/styles.ts';

/** How a row of tabs looks, whether they are buttons or links. */
export const useTabStyles = makeStyles({
  tabs: {
    display: 'flex',
    flexShrink: 0,
    gap: tokens.spacingHorizontalL,
    overflowX: 'auto',
    padding: `0 ${tokens.spacingHorizontalXL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM}` },
  },
  tab: {
    flexShrink: 0,
    padding: `${tokens.spacingVerticalS} 2px`,
    border: 'none',
    borderBottom: '2px solid transparent',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground2,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    textDecorationLine: 'none',
    cursor: 'pointer',
    ':hover': { color: tokens.colorNeutralForeground1 },
    ...focusRingInside,
  },
  chosen: {
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    borderBottomColor: tokens.colorCompoundBrandStroke,
  },
});
