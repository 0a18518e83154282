import { makeStyles, tokens } from '@fluentui/react-components';
import { Facts } from '../../components/page/Facts.tsx';
import { useWords } from '../../lib/i18n.ts';
import { focusRing } from '../../theme/styles.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';

const useStyles = makeStyles({
  root: { paddingTop: tokens.spacingVerticalXL, borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  head: { cursor: 'pointer', width: 'fit-content', borderRadius: tokens.borderRadiusMedium, ...focusRing },
  title: {
    display: 'inline',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  body: { display: 'grid', gap: tokens.spacingVerticalL, paddingTop: tokens.spacingVerticalM, maxWidth: '80ch' },
  notes: { margin: 0, paddingInlineStart: '20px', display: 'grid', gap: tokens.spacingVerticalXS },
});

/** How the common providers of a DNS want a record to be typed; closed until it is wanted. */
export function ProviderNotes() {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  return (
    <details className={styles.root}>
      <summary className={styles.head}>
        <h2 className={styles.title}>{t.notes}</h2>
      </summary>
      <div className={styles.body}>
        <ul className={styles.notes}>
          {[t.note1, t.note2, t.note3, t.note4].map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Facts
          rows={[
            ['Cloudflare', t.cloudflare],
            ['GoDaddy', t.godaddy],
            ['Namecheap', t.namecheap],
            ['IONOS', t.ionos],
            ['Route 53', t.route53],
            ['OVHcloud', t.ovh],
          ]}
        />
      </div>
    </details>
  );
}
