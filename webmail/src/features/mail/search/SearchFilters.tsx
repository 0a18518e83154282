import { makeStyles, ToggleButton, tokens } from '@fluentui/react-components';
import { PlainSelect } from '../../../components/list/PlainSelect.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { pageWords } from '../../../words/pages.ts';
import { searchWords } from '../../../words/search.ts';
import { useOwnFolders } from '../own-folders/use-own-folders.ts';
import {
  folderIn,
  hasToggle,
  searchedFolders,
  type Span,
  spanIn,
  spans,
  type Toggle,
  toggles,
  withFolder,
  withSpan,
  withToggle,
} from './search-text.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  // A select is as wide as its longest name, and people make long ones
  folder: { maxWidth: '200px' },
});

interface Props {
  text: string;
  onChange: (text: string) => void;
}

/**
 * Buttons for conditions. Each of them adds its condition to the search text, as a person would
 * type it.
 */
export function SearchFilters({ text, onChange }: Props) {
  const styles = useStyles();
  const t = useWords(searchWords);
  const pages = useWords(pageWords);
  const own = useOwnFolders().map(({ name }) => name);
  const span = spanIn(text);
  return (
    <div className={styles.root} role="group" aria-label={t.filters}>
      {(Object.keys(toggles) as Toggle[]).map((name) => {
        const isOn = hasToggle(text, name);
        return (
          <ToggleButton
            key={name}
            size="small"
            shape="circular"
            checked={isOn}
            onClick={() => onChange(withToggle(text, name, !isOn))}
          >
            {t[name]}
          </ToggleButton>
        );
      })}
      <PlainSelect
        isSmall
        className={styles.folder}
        label={t.folder}
        value={folderIn(text, own)}
        onChange={(name) => onChange(withFolder(text, name))}
      >
        <option value="">{t.anyFolder}</option>
        {searchedFolders.map((name) => (
          <option key={name} value={name}>
            {pages[name]}
          </option>
        ))}
        {own.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </PlainSelect>
      <PlainSelect
        isSmall
        label={t.time}
        value={span}
        onChange={(value) => onChange(withSpan(text, value === 'own' ? '' : (value as Span | '')))}
      >
        <option value="">{t.anyTime}</option>
        {(Object.keys(spans) as Span[]).map((name) => (
          <option key={name} value={name}>
            {t[name]}
          </option>
        ))}
        {span === 'own' && <option value="own">{t.ownTime}</option>}
      </PlainSelect>
    </div>
  );
}
