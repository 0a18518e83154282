import { longestSearch } from '@selvage/core/contracts/search';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { HistoryRegular } from '@fluentui/react-icons/svg/history';
import { SearchRegular } from '@fluentui/react-icons/svg/search';
import { type FocusEvent, useEffect, useId } from 'react';
import { IconButton } from '../../../components/IconButton.tsx';
import { useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { useWords } from '../../../lib/i18n.ts';
import { heights } from '../../../theme/own-tokens.ts';
import { focusRingWithin, oneLine } from '../../../theme/styles.ts';
import { searchWords } from '../../../words/search.ts';
import { takeSearchAsked } from './AwaitedSearchBox.tsx';
import { type SearchBoxState, useSearchBox } from './use-search-box.ts';

const useStyles = makeStyles({
  root: { position: 'relative', flexGrow: 1, minWidth: 0 },
  box: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    height: heights.control,
    boxSizing: 'border-box',
    padding: `0 2px 0 ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground3,
    ...focusRingWithin,
  },
  input: {
    flexGrow: 1,
    minWidth: 0,
    height: '100%',
    padding: 0,
    border: 'none',
    outlineStyle: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    '::placeholder': { color: tokens.colorNeutralForeground3 },
    // Our own button clears it
    '::-webkit-search-cancel-button': { display: 'none' },
  },
  list: {
    position: 'absolute',
    top: 'calc(100% + 4px)',
    left: 0,
    right: 0,
    zIndex: 20,
    margin: 0,
    padding: tokens.spacingVerticalXS,
    listStyleType: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow16,
  },
  line: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    minHeight: '32px',
    padding: `0 ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  active: { backgroundColor: tokens.colorNeutralBackground1Selected },
  label: oneLine,
});

/** The mail search: a box with suggestions. The key `/` focuses it. */
export default function SearchBox({ takesFocus = false }: { takesFocus?: boolean }) {
  const styles = useStyles();
  const t = useWords(searchWords);
  const box = useSearchBox();
  const listId = useId();
  const { inputRef } = box;
  useShortcuts({ '/': () => inputRef.current?.select() });
  useEffect(() => {
    if (takesFocus || takeSearchAsked()) inputRef.current?.focus();
  }, [takesFocus, inputRef]);
  const handleBlur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) box.close();
  };
  return (
    <div className={styles.root} role="search" onBlur={handleBlur}>
      <div className={styles.box}>
        <SearchRegular aria-hidden />
        <input
          ref={inputRef}
          type="search"
          role="combobox"
          className={styles.input}
          aria-label={t.label}
          placeholder={t.label}
          aria-expanded={box.isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={box.active < 0 ? undefined : `${listId}-${box.active}`}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          dir="auto"
          maxLength={longestSearch}
          value={box.text}
          onChange={(event) => box.type(event.target.value)}
          onFocus={box.open}
          onKeyDown={box.onKeyDown}
        />
        {box.text !== '' && <IconButton size="small" label={t.clear} icon={<DismissRegular />} onClick={box.clear} />}
      </div>
      {box.isOpen && <Lines id={listId} box={box} />}
    </div>
  );
}

function Lines({ id, box }: { id: string; box: SearchBoxState }) {
  const styles = useStyles();
  const t = useWords(searchWords);
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t.suggestions}>
      {box.lines.map((line, index) => (
        <div
          key={`${line.kind} ${line.text}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === box.active}
          aria-label={line.kind === 'recent' ? `${t.recent}: ${line.label}` : undefined}
          className={mergeClasses(styles.line, index === box.active && styles.active)}
          // A press would take the focus from the box, which closes the list before the click
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => box.pick(line)}
        >
          {line.kind === 'recent' ? <HistoryRegular aria-hidden /> : <SearchRegular aria-hidden />}
          <span className={styles.label} dir="auto">
            {line.label}
          </span>
        </div>
      ))}
    </div>
  );
}
