import { createLabel, labelColours, type LabelDto, labelForm, updateLabel } from '@selvage/core/contracts/labels';
import { makeStyles, tokens } from '@fluentui/react-components';
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark';
import { useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { choose, TextField } from '../../../components/form/fields.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { problemsOf } from '../../../lib/problems.ts';
import { focusRingWithin } from '../../../theme/styles.ts';
import { labelWords } from '../../../words/labels.ts';
import { mailKeys } from '../keys.ts';
import { swatchOf, toneOf } from './label-colours.ts';
import { LabelChip } from './LabelChips.tsx';
import { nextColour } from './next-colour.ts';
import { useLabels } from './use-labels.ts';

const useStyles = makeStyles({
  group: { border: 'none', margin: 0, padding: 0, minWidth: 0 },
  legend: { padding: 0, marginBottom: tokens.spacingVerticalXS },
  colours: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  colour: {
    position: 'relative',
    width: '32px',
    height: '32px',
    boxSizing: 'border-box',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    borderRadius: tokens.borderRadiusMedium,
    fontSize: '18px',
    ...focusRingWithin,
  },
  radio: { position: 'absolute', inset: 0, width: '100%', height: '100%', margin: 0, opacity: 0, cursor: 'pointer' },
  preview: { minHeight: '20px' },
});

interface Props {
  /** The label that is changed; left out for a new one. */
  label?: LabelDto;
  onDone?: (label: LabelDto) => void;
  onClose: () => void;
}

/** The name and the colour of a label. */
export default function LabelDialog({ label, onDone, onClose }: Props) {
  const styles = useStyles();
  const t = useWords(labelWords);
  const client = useQueryClient();
  const labels = useLabels();
  const form = useForm({
    start: { name: label?.name ?? '', colour: label?.colour ?? nextColour(labels) },
    check: (values) => problemsOf(labelForm, values),
    submit: ({ name, colour }) => {
      const body = { name, colour };
      return label ? api(updateLabel, { params: { id: label._id }, body }) : api(createLabel, { body });
    },
    onDone: async (saved) => {
      await client.invalidateQueries({ queryKey: mailKeys.totals });
      notify.success((label ? t.saved : t.created)({ name: saved.name }));
      onClose();
      onDone?.(saved);
    },
  });
  const { name, colour } = form.values;
  const shown = { _id: '', name: name.trim() || t.label, colour, total: 0, unread: 0 };
  return (
    <FormDialog
      form={form}
      size="small"
      title={label ? t.editTitle : t.newTitle}
      submitLabel={label ? t.save : t.create}
      busyLabel={label ? t.saving : t.creating}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t.name} maxLength={100} />
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{t.colour}</legend>
        <div className={styles.colours}>
          {labelColours.map((one) => (
            <span
              key={one}
              className={styles.colour}
              style={{ ...swatchOf(one), color: toneOf[one].ink }}
              data-tip={t[one]}
            >
              {one === colour && <CheckmarkRegular aria-hidden />}
              <input
                type="radio"
                name="colour"
                className={styles.radio}
                aria-label={t[one]}
                checked={one === colour}
                onChange={() => choose(form, 'colour', one)}
              />
            </span>
          ))}
        </div>
      </fieldset>
      <div className={styles.preview} aria-hidden>
        <LabelChip label={shown} />
      </div>
    </FormDialog>
  );
}
