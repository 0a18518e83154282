import { createLabel, type LabelDto, labelForm, mostLabels } from '@selvage/core/contracts/labels';
import {
  Button,
  Checkbox,
  type CheckboxProps,
  Input,
  makeStyles,
  Popover,
  PopoverSurface,
  Radio,
  RadioGroup,
  tokens,
} from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { useLastingFocusManager } from '../../../hooks/use-lasting-focus-manager.tsx';
import { useOnceLoaded } from '../../../hooks/use-once-loaded.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import { oneLine } from '../../../theme/styles.ts';
import { labelWords } from '../../../words/labels.ts';
import { mailKeys } from '../keys.ts';
import { moveByArrow } from '../own-places/move-by-arrow.ts';
import { NothingToChoose } from '../own-places/NothingToChoose.tsx';
import { totalsQuery } from '../queries.ts';
import type { LabelsOfAll } from './label-menu.ts';
import { nextColour } from './next-colour.ts';
import LabelDialog from './LabelDialog.tsx';
import { labelFlag, labelsOf } from './row-labels.ts';
import { Swatch } from './Swatch.tsx';
import { type Labelled, useChangeLabels } from './use-change-labels.ts';
import { useLabels } from './use-labels.ts';

const useStyles = makeStyles({
  surface: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    boxSizing: 'border-box',
    width: 'min(280px, calc(100vw - 24px))',
    padding: tokens.spacingVerticalM,
  },
  list: {
    display: 'flex',
    flexDirection: 'column',
    maxHeight: 'min(320px, 45vh)',
    overflowY: 'auto',
    margin: `0 calc(-1 * ${tokens.spacingHorizontalS})`,
  },
  box: { '& label': { minWidth: 0 } },
  item: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minWidth: 0 },
  name: { minWidth: 0, maxWidth: '180px', ...oneLine },
  create: { justifyContent: 'flex-start', minWidth: 0, fontWeight: tokens.fontWeightRegular },
  createName: { ...oneLine },
});

type Checked = Exclude<CheckboxProps['checked'], undefined>;

interface Props {
  target: HTMLElement;
  records: readonly Labelled[];
  /** Set when the person has chosen all of the folder, of which `records` are one page. */
  ofAll: LabelsOfAll | undefined;
  onClose: () => void;
}

/** Whether all, some or none of the messages have a label. */
function sharedBy(records: readonly Labelled[], id: string): Checked {
  const having = records.filter((record) => labelsOf(record).includes(id)).length;
  return having === 0 ? false : having === records.length || 'mixed';
}

/** Whether the menu is still there, for work that ends later. */
function useIsOpen(): { readonly current: boolean } {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

/** The labels of messages: each tick is done at once, and can be undone. */
export default function LabelMenu({ target, records, ofAll, onClose }: Props) {
  useLastingFocusManager();
  const styles = useStyles();
  const t = useWords(labelWords);
  const client = useQueryClient();
  const isLoaded = useQuery(totalsQuery).data !== undefined;
  const labels = useLabels();
  const changeLabels = useChangeLabels();
  const [text, setText] = useState('');
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isNaming, setNaming] = useState(false);
  const [isTakingOff, setTakingOff] = useState(false);
  /**
   * Names of labels that are being created, so that a second press of Enter does not create
   * another.
   */
  const creating = useRef(new Set<string>());
  const isOpen = useIsOpen();
  const wanted = text.trim().toLowerCase();
  const shown = labels.filter(({ name }) => name.toLowerCase().includes(wanted));
  const isNew = wanted !== '' && !labels.some(({ name }) => name.toLowerCase() === wanted);
  const mayCreate = isLoaded && !isTakingOff && labels.length < mostLabels && (wanted === '' || isNew);

  /** After a failure, resets the tick, unless the person has changed it again since. */
  const untick = (id: string, isOn: boolean): void =>
    setTicked((now) => (now.get(id) === isOn ? new Map([...now].filter(([other]) => other !== id)) : now));
  const put = (label: Pick<LabelDto, '_id' | 'name'>, isOn: boolean): void => {
    if (ofAll) {
      onClose();
      ofAll.onPut(label, isOn);
      return;
    }
    // A created label arrives late, so other ticks made meanwhile must stay
    setTicked((now) => new Map(now).set(label._id, isOn));
    const before = ticked.get(label._id);
    // Undo must restore the state after an earlier tick, not the state at the opening of the menu
    const now = before === undefined ? records : records.map((row) => ({ ...row, [labelFlag(label._id)]: before }));
    void changeLabels({ records: now, label, isOn }).then((isMade) => isMade || untick(label._id, isOn));
  };
  // The page does not know the labels of messages on other pages, so all messages get the label, or
  // all lose it
  const checkedOf = (id: string): Checked => (ofAll ? isTakingOff : (ticked.get(id) ?? sharedBy(records, id)));
  const toggle = (label: LabelDto): void => put(label, checkedOf(label._id) !== true);
  const create = async (): Promise<void> => {
    if (wanted === '') {
      setNaming(true);
      return;
    }
    const form = labelForm.safeParse({ name: text, colour: nextColour(labels) });
    if (!form.success) {
      notify.failure(form.error.issues[0]?.message ?? t.notCreated);
      return;
    }
    if (creating.current.has(wanted)) return;
    creating.current.add(wanted);
    try {
      const label = await api(createLabel, { body: form.data });
      // Text that was typed meanwhile is for another label
      setText((now) => (now === text ? '' : now));
      await client.invalidateQueries({ queryKey: mailKeys.totals });
      // For all of a folder a question comes first. After the person has closed the menu it would
      // be a surprise
      if (!ofAll || isOpen.current) put(label, true);
    } catch (error) {
      notify.error(error);
    } finally {
      creating.current.delete(wanted);
    }
  };
  const enter = useOnceLoaded(isLoaded, () => {
    const [first] = shown;
    if (isNew && mayCreate && (shown.length !== 1 || !first)) void create();
    else if (wanted !== '' && first) toggle(first);
  });
  if (isNaming) {
    return <LabelDialog onDone={(label) => put(label, true)} onClose={onClose} />;
  }
  return (
    <Popover
      open
      trapFocus
      positioning={{ target, position: 'below', align: 'start', overflowBoundaryPadding: 8 }}
      onOpenChange={(_event, data) => !data.open && onClose()}
    >
      <PopoverSurface
        className={styles.surface}
        aria-label={t.labelMessages(ofAll?.number ?? records.length)}
        onKeyDown={moveByArrow}
      >
        {ofAll && (
          <RadioGroup
            layout="horizontal"
            aria-label={t.labelMessages(ofAll.number)}
            value={isTakingOff ? 'off' : 'on'}
            onChange={(_event, { value }) => setTakingOff(value === 'off')}
          >
            <Radio value="on" label={t.putOn} />
            <Radio value="off" label={t.takeOffAll} />
          </RadioGroup>
        )}
        <Input
          value={text}
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          onChange={(_event, data) => {
            enter.takeBack();
            setText(data.value);
          }}
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !isOfInputMethod(nativeEvent) && enter.ask()}
        />
        {shown.length > 0 && (
          <div className={styles.list} role="group" aria-label={t.labels}>
            {shown.map((label) => (
              <LabelTick key={label._id} label={label} checked={checkedOf(label._id)} onToggle={() => toggle(label)} />
            ))}
          </div>
        )}
        {(!isLoaded || shown.length === 0) && <NothingToChoose words={t} hasOthers={labels.length > 0} />}
        {mayCreate && (
          <Button appearance="subtle" className={styles.create} icon={<AddRegular />} onClick={() => void create()}>
            <span className={styles.createName}>
              {wanted === '' ? t.createNew : t.createNamed({ name: text.trim() })}
            </span>
          </Button>
        )}
      </PopoverSurface>
    </Popover>
  );
}

interface TickProps {
  label: LabelDto;
  checked: Checked;
  onToggle: () => void;
}

function LabelTick({ label, checked, onToggle }: TickProps) {
  const styles = useStyles();
  return (
    <Checkbox
      className={styles.box}
      checked={checked}
      label={
        <span className={styles.item}>
          <Swatch colour={label.colour} />
          <span className={styles.name} dir="auto">
            {label.name}
          </span>
        </span>
      }
      onChange={onToggle}
    />
  );
}
