import { Button, Field, makeStyles, tokens } from '@fluentui/react-components';
import { FileChoice } from '../../components/FileChoice.tsx';

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  name: { overflowWrap: 'anywhere' },
});

interface Props {
  label: string;
  /** What the button says. */
  chooseLabel: string;
  /** The file that was chosen. */
  fileName: string | undefined;
  isDisabled: boolean;
  onPick: (file: File) => void;
}

/** Chooses a CSV file of the person's device. */
export function FilePick({ label, chooseLabel, fileName, isDisabled, onPick }: Props) {
  const styles = useStyles();
  return (
    <Field label={label}>
      <div className={styles.line} role="group" aria-label={label}>
        <FileChoice
          label={label}
          accept=".csv,text/csv,text/plain"
          onFiles={([file]) => {
            if (file) onPick(file);
          }}
        >
          {(choose) => (
            <Button disabled={isDisabled} onClick={choose}>
              {chooseLabel}
            </Button>
          )}
        </FileChoice>
        {fileName && <span className={styles.name}>{fileName}</span>}
      </div>
    </Field>
  );
}
