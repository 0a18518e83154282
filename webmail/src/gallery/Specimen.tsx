import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type CSSProperties, type ReactNode, useId } from 'react';
import { MemoryRouter } from 'react-router-dom';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  title: {
    margin: 0,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  /** For pieces of different heights. */
  top: { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: tokens.spacingHorizontalM },
  column: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: '560px' },
  screen: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    minWidth: 0,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    overflow: 'hidden',
  },
});

interface Props {
  title: string;
  /**
   * Pieces beside each other (`top`: of different heights), below each other, or a screen of a
   * fixed height.
   */
  shape?: 'row' | 'top' | 'column' | 'screen';
  /** Height of a screen in pixels. */
  height?: number;
  /** The address at which the router of the pieces begins. */
  path?: string;
  children: ReactNode;
}

/**
 * One state of a component, with a separate router, so that lists beside each other do not share an
 * address.
 */
export function Specimen({ title, shape = 'row', height, path = '/', children }: Props) {
  const styles = useStyles();
  const id = useId();
  const size: CSSProperties = height ? { height: `${height}px` } : {};
  return (
    <section className={styles.root} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      <MemoryRouter initialEntries={[path]}>
        <div className={mergeClasses(styles[shape])} style={size}>
          {children}
        </div>
      </MemoryRouter>
    </section>
  );
}
