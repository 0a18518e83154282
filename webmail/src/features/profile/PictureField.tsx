import { Button, Field, makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import { fieldProblem } from '../../components/form/field-problem.ts';

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface Props {
  hasPicture: boolean;
  problem: string | undefined;
  onPick: (file: File) => void;
  onRemove: () => void;
}

/** Chooses the own picture or takes it away; how it looks is shown in the page's head. */
export function PictureField({ hasPicture, problem, onPick, onRemove }: Props) {
  const styles = useStyles();
  const inputRef = useRef<HTMLInputElement>(null);
  const pickRef = useRef<HTMLButtonElement>(null);
  const handleRemove = (): void => {
    onRemove();
    // the button that was pressed is gone
    pickRef.current?.focus();
  };
  return (
    <Field label="Picture" hint="PNG, JPEG, WebP or GIF, at most 1 MB." {...fieldProblem(problem)}>
      <div className={styles.buttons} role="group" aria-label="Picture">
        <input
          ref={inputRef}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-label="Picture file"
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // so that the same file can be chosen again
            event.target.value = '';
            if (file) onPick(file);
          }}
        />
        <Button ref={pickRef} onClick={() => inputRef.current?.click()}>
          {hasPicture ? 'Change picture' : 'Add picture'}
        </Button>
        {hasPicture && <Button onClick={handleRemove}>Remove picture</Button>}
      </div>
    </Field>
  );
}
