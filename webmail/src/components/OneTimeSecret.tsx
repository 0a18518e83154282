import { makeStyles, tokens } from '@fluentui/react-components';
import { CopyButton } from './CopyButton.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  text: {
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase400,
    overflowWrap: 'anywhere',
    userSelect: 'text',
  },
});

interface Props {
  /** What it is, for the button that copies it: `the secret`. */
  name: string;
  text: string;
  /** How it is shown, where that is easier to read. */
  shown?: string;
  testId: string;
}

/** Something that is shown once, to be copied. */
export function OneTimeSecret({ name, text, shown = text, testId }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <span className={styles.text} data-testid={testId}>
        {shown}
      </span>
      <CopyButton name={name} text={text} />
    </div>
  );
}
