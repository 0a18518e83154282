import { Button, Field, makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import { FileChoice } from '../../components/FileChoice.tsx';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { choose } from '../../components/form/fields.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { profileWords } from '../../words/profile.ts';
import { type PictureChange, pictureProblem } from './picture.ts';

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface Props {
  form: FieldForm<{ avatar: PictureChange }> & { showProblems: (problems: Record<string, string>) => void };
  hasSaved: boolean;
}

/** Chooses the person's own picture, or removes it. The head of the page shows how it looks. */
export function PictureField({ form, hasSaved }: Props) {
  const styles = useStyles();
  const t = useWords(profileWords);
  const pickRef = useRef<HTMLButtonElement>(null);
  const change = form.values.avatar;
  const hasPicture = change ? change.kind === 'new' : hasSaved;

  const handlePick = (file: File): void => {
    const problem = pictureProblem(file);
    if (problem) form.showProblems({ ...form.problems, avatar: problem });
    else choose(form, 'avatar', { kind: 'new', file });
  };
  const handleRemove = (): void => {
    choose(form, 'avatar', hasSaved ? { kind: 'none' } : null);
    // The button that was pressed is gone
    pickRef.current?.focus();
  };
  return (
    <Field label={t.picture} hint={t.pictureHint} {...fieldProblem(form.problems['avatar'])}>
      <div className={styles.buttons} role="group" aria-label={t.picture}>
        <FileChoice
          label={t.pictureFile}
          accept="image/png,image/jpeg,image/webp,image/gif"
          onFiles={([file]) => {
            if (file) handlePick(file);
          }}
        >
          {(choose) => (
            <Button ref={pickRef} name="avatar" onClick={choose}>
              {hasPicture ? t.changePicture : t.addPicture}
            </Button>
          )}
        </FileChoice>
        {hasPicture && <Button onClick={handleRemove}>{t.removePicture}</Button>}
      </div>
    </Field>
  );
}
