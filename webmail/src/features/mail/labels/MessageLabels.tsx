import type { EmailDto } from '@selvage/core/contracts/email';
import type { LabelDto } from '@selvage/core/contracts/labels';
import { makeStyles, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import type { MouseEvent } from 'react';
import { useWords } from '../../../lib/i18n.ts';
import { focusRingInside, oneLine } from '../../../theme/styles.ts';
import { labelWords } from '../../../words/labels.ts';
import { placeOfLabels } from '../use-focused-keys.ts';
import { useMayChange } from '../use-may-change.ts';
import { toneOf } from './label-colours.ts';
import { labelsOf } from './row-labels.ts';
import { useChangeLabels } from './use-change-labels.ts';
import { useLabelsOf } from './use-labels.ts';

const useStyles = makeStyles({
  list: { display: 'flex', flexWrap: 'wrap', gap: '6px', listStyleType: 'none', margin: 0, padding: 0 },
  chip: {
    display: 'flex',
    alignItems: 'center',
    maxWidth: '240px',
    paddingLeft: '8px',
    borderRadius: tokens.borderRadiusSmall,
    fontSize: tokens.fontSizeBase200,
    lineHeight: '24px',
  },
  name: { paddingRight: '8px', ...oneLine },
  remove: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    flexShrink: 0,
    width: '24px',
    height: '24px',
    marginLeft: '-4px',
    padding: 0,
    border: 'none',
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: 'transparent',
    color: 'inherit',
    fontSize: '12px',
    cursor: 'pointer',
    ...focusRingInside,
  },
});

/** The labels of an open message, each with a way to take it off. */
export function MessageLabels({ email }: { email: EmailDto }) {
  const styles = useStyles();
  const t = useWords(labelWords);
  const labels = useLabelsOf(labelsOf(email));
  const changeLabels = useChangeLabels();
  const mayChange = useMayChange()(email);
  if (labels.length === 0) return null;
  const remove = (label: LabelDto, { currentTarget: button }: MouseEvent<HTMLElement>): void => {
    // The button leaves, and the focus would fall to the page
    if (button.matches(':focus-visible')) leaveLabel(button);
    void changeLabels({ records: [email], label, isOn: false });
  };
  return (
    <ul className={styles.list} aria-label={t.labels}>
      {labels.map((label) => {
        const { paper, ink } = toneOf[label.colour];
        return (
          <li key={label._id} className={styles.chip} style={{ backgroundColor: paper, color: ink }}>
            <span className={styles.name} dir="auto" title={label.name}>
              {label.name}
            </span>
            {mayChange && (
              <button
                type="button"
                className={styles.remove}
                aria-label={t.takeOff({ name: label.name })}
                data-tip={t.takeOff({ name: label.name })}
                onClick={(event) => remove(label, event)}
              >
                <DismissRegular />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Moves the focus to the next label, to the one before, or to where labels are put on. */
function leaveLabel(button: HTMLElement): void {
  const chip = button.closest('li');
  const next = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector('button');
  (next ?? placeOfLabels())?.focus();
}
