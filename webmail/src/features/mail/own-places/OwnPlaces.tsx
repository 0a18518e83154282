import { makeStyles, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../../components/feedback/notify.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { changesMade } from '../../../hooks/use-action.ts';
import { currentSubject } from '../../../lib/session.ts';
import { foldHeading } from '../../../theme/styles.ts';
import { mailKeys } from '../keys.ts';
import { totalsQuery } from '../queries.ts';
import { type OwnPlace, OwnPlaceLink } from './OwnPlaceLink.tsx';

const DeleteDialog = lazyExtra(async () => {
  const { DeleteDialog: dialog } = await import('../../../components/dialog/DeleteDialog.tsx');
  return { default: dialog };
});

const useStyles = makeStyles({
  root: { marginTop: tokens.spacingVerticalM },
  head: { display: 'flex', alignItems: 'center', minHeight: '28px' },
  heading: { ...foldHeading, flexGrow: 1 },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '1px' },
  none: {
    margin: 0,
    padding: `0 ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
});

interface PlaceWords {
  title: string;
  add: string;
  noneYet: string;
  edit: string;
  remove: string;
  moreFor: (place: { name: string }) => string;
  removeTitle: (place: { name: string }) => string;
  removeText: string;
  removed: (place: { name: string }) => string;
}

interface Props<T extends OwnPlace> {
  places: readonly T[];
  /** How many a person may have. */
  most: number;
  words: PlaceWords;
  pathOf: (place: T) => string;
  iconOf: (place: T) => ReactNode;
  /** The dialog that changes a place, or makes one. */
  dialogFor: (place: T | undefined, close: () => void) => ReactNode;
  prepareDialog: () => void;
  /** Deletes a place in a call of the person `as`. */
  remove: (id: string, as: string | null) => Promise<unknown>;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onNavigate?: (() => void) | undefined;
}

type Shown<T> = { kind: 'new' } | { kind: 'edit' | 'remove'; place: T };

/** The labels or the folders that the person made, below the folders of the host. */
export function OwnPlaces<T extends OwnPlace>(props: Props<T>) {
  const { places, words, pathOf, iconOf, isFolded, onNavigate } = props;
  const styles = useStyles();
  const isLoaded = useQuery(totalsQuery).data !== undefined;
  const [shown, setShown] = useState<Shown<T> | null>(null);
  const close = (): void => setShown(null);
  if (!isLoaded) return null;
  const actionsOf = (place: T) => [
    { label: words.edit, run: () => setShown({ kind: 'edit', place }) },
    { label: words.remove, run: () => setShown({ kind: 'remove', place }), isDangerous: true },
  ];
  return (
    <div className={styles.root}>
      <Head {...props} onAdd={() => setShown({ kind: 'new' })} />
      {!isFolded && places.length > 0 && (
        <ul className={styles.list} aria-label={words.title}>
          {places.map((place) => (
            <OwnPlaceLink
              key={place._id}
              place={place}
              path={pathOf(place)}
              icon={iconOf(place)}
              moreLabel={words.moreFor(place)}
              actions={actionsOf(place)}
              onNavigate={onNavigate}
            />
          ))}
        </ul>
      )}
      {!isFolded && places.length === 0 && <p className={styles.none}>{words.noneYet}</p>}
      {shown?.kind === 'new' && props.dialogFor(undefined, close)}
      {shown?.kind === 'edit' && props.dialogFor(shown.place, close)}
      {shown?.kind === 'remove' && <RemoveDialog {...props} place={shown.place} onClose={close} />}
    </div>
  );
}

function Head<T extends OwnPlace>({
  places,
  most,
  words,
  isFolded,
  onFold,
  prepareDialog,
  onAdd,
}: Props<T> & { onAdd: () => void }) {
  const styles = useStyles();
  return (
    <div className={styles.head}>
      <button type="button" className={styles.heading} aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
        {isFolded ? <ChevronRightRegular /> : <ChevronDownRegular />}
        {words.title}
      </button>
      {places.length < most && (
        <IconButton
          size="small"
          label={words.add}
          icon={<AddRegular />}
          onPointerEnter={prepareDialog}
          onClick={onAdd}
        />
      )}
    </div>
  );
}

function RemoveDialog<T extends OwnPlace>({
  place,
  words,
  pathOf,
  remove,
  onClose,
}: Props<T> & { place: T; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const onDelete = async (): Promise<void> => {
    const as = currentSubject();
    // The server moves what is in a deleted folder to the trash. A message that has left the folder
    // on the screen alone would go with it
    await changesMade();
    await remove(place._id, as);
    if (window.location.pathname === pathOf(place)) void navigate('/dashboard/inbox');
    await client.invalidateQueries({ queryKey: mailKeys.totals });
    notify.success(words.removed(place));
  };
  return (
    <DeleteDialog title={words.removeTitle(place)} text={words.removeText} onDelete={onDelete} onClose={onClose} />
  );
}
