import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
    padding: tokens.spacingHorizontalM,
    listStyleType: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    userSelect: 'text',
  },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** Recovery codes, the only time that they are seen. */
export function OneTimeCodes({ codes }: { codes: string[] }) {
  const styles = useStyles();
  const email = useCurrentUser()?.email ?? '';
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <Text>
        Keep these recovery codes where you find them without your phone: each lets you in once in place of a code. They
        are not shown again.
      </Text>
      <ul className={styles.list} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton name="the recovery codes" text={text} />
        <Button
          size="small"
          icon={<ArrowDownloadRegular />}
          onClick={() => download(`recovery-codes-${email}.txt`, `Recovery codes of ${email}\n\n${text}`)}
        >
          Download
        </Button>
      </div>
    </>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
