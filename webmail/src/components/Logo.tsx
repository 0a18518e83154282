import { makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../lib/i18n.ts';
import { productWords } from '../words/product.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  mark: { width: '28px', height: '28px', display: 'block' },
});

/** The product's mark and name. */
export function Logo() {
  const styles = useStyles();
  const t = useWords(productWords);
  return (
    <span className={styles.root}>
      <img className={styles.mark} src="/favicon.svg" alt="" />
      {t.name}
    </span>
  );
}
