import type { VariableDto } from '@selvage/core/contracts/environment';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { RecordRow } from '../../../components/list/RecordList.tsx';
import { StateWord } from '../../../components/StateWord.tsx';
import { fullDate } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { environmentWords } from '../../../words/environment.ts';
import { nowInWords } from './now-in-words.ts';

const useStyles = makeStyles({
  value: { fontFamily: tokens.fontFamilyMonospace, userSelect: 'text' },
});

/** Longer values are seen whole where they are edited. */
const SHOWN_LENGTH = 300;

interface Props {
  variable: VariableDto;
  /** The value of a secret that the person has asked to see; null while it is hidden. */
  shown: string | null;
  onShow: () => void;
  onHide: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** A variable: its value, whether it is in force, and what it means. */
export function VariableRow({ variable, shown, onShow, onHide, onEdit, onDelete }: Props) {
  const styles = useStyles();
  const t = useWords(environmentWords);
  const { key } = variable;
  const isMasked = variable.is_secret && shown === null;
  return (
    <RecordRow
      title={key}
      badge={<VariableState variable={variable} />}
      details={detailsOf(variable)}
      actions={
        <>
          {variable.is_secret && (
            <Button
              size="small"
              aria-label={isMasked ? t.showNamed({ key }) : t.hideNamed({ key })}
              onClick={isMasked ? onShow : onHide}
            >
              {isMasked ? t.show : t.hide}
            </Button>
          )}
          <Button size="small" aria-label={t.editNamed({ key })} onClick={onEdit}>
            {t.change}
          </Button>
          <Button size="small" aria-label={t.deleteNamed({ key })} onClick={onDelete}>
            {t.delete}
          </Button>
        </>
      }
    >
      {isMasked ? (
        <span role="img" aria-label={t.hidden} className={styles.value}>
          ••••••••
        </span>
      ) : (
        <span className={styles.value}>{shown ?? shortened(variable.value ?? '')}</span>
      )}
    </RecordRow>
  );
}

function VariableState({ variable }: { variable: VariableDto }) {
  const t = useWords(environmentWords);
  if (variable.problem !== null) return <StateWord kind="bad">{t.unused}</StateWord>;
  if (!variable.has_effect) return <StateWord kind="quiet">{t.noEffect}</StateWord>;
  if (variable.needs_restart) return <StateWord kind="waiting">{t.waits}</StateWord>;
  return variable.source === 'list' ? <StateWord kind="good">{t.inForce}</StateWord> : null;
}

function detailsOf(variable: VariableDto): string[] {
  const t = wordsOf(environmentWords);
  const { problem, has_effect: hasEffect, needs_restart: waits, description, updated_by: name } = variable;
  const time = fullDate(variable.updatedAt);
  return [
    ...(problem === null ? [] : [withoutEnd(problem)]),
    ...(hasEffect || problem !== null ? [] : [withoutEnd(t.noSetting)]),
    ...(description === null ? [] : [withoutEnd(description)]),
    ...(hasEffect && (waits || problem !== null) ? [nowInWords(variable)] : []),
    name === null ? t.changed({ time }) : t.changedBy({ time, name }),
  ];
}

/** The row puts a dot between this detail and the next, so the full stop is dropped. */
function withoutEnd(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

function shortened(value: string): string {
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
}
