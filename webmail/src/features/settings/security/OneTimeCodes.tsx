import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase500,
    userSelect: 'text',
  },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** Recovery codes, the only time that they are seen. */
export function OneTimeCodes({ codes }: { codes: string[] }) {
  const styles = useStyles();
  const t = useWords(twoFactorWords);
  const email = useCurrentUser()?.email ?? '';
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <span>{t.codesText}</span>
      <ul className={styles.list} aria-label={t.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton name={t.codesName} text={text} />
        <Button
          size="small"
          icon={<ArrowDownloadRegular />}
          onClick={() => {
            const file = `${t.fileHead({ email })}\n\n${text}`;
            saveFile(`recovery-codes-${email}.txt`, new Blob([file], { type: 'text/plain' }));
          }}
        >
          {t.download}
        </Button>
      </div>
    </>
  );
}
