import { Button, Field, makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';

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
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <Field label={label}>
      <div className={styles.line} role="group" aria-label={label}>
        <input
          ref={inputRef}
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-label={label}
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // So that the same file can be chosen again after it was mended
            event.target.value = '';
            if (file) onPick(file);
          }}
        />
        <Button disabled={isDisabled} onClick={() => inputRef.current?.click()}>
          {chooseLabel}
        </Button>
        {fileName && <span className={styles.name}>{fileName}</span>}
      </div>
    </Field>
  );
}
