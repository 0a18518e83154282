import { makeStyles, tokens } from '@fluentui/react-components';
import { Link, type LinkProps } from 'react-router-dom';
import { focusRing } from '../theme/styles.ts';

const useStyles = makeStyles({
  link: {
    color: tokens.colorBrandForegroundLink,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusSmall,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    ':hover': { textDecorationLine: 'underline', color: tokens.colorBrandForegroundLinkHover },
    ...focusRing,
  },
});

/** A link in words to another screen. */
export function TextLink(props: Omit<LinkProps, 'className'>) {
  return <Link {...props} className={useStyles().link} />;
}
