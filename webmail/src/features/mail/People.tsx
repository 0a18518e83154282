import { Fragment, type ReactNode } from 'react';

/**
 * Names or addresses, each isolated: right-to-left letters would otherwise reorder the text around
 * them (UAX 9).
 */
export function Names({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={index}>
      {index > 0 && ', '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

const GAP = '\0';

/** A text of the catalogue with an element in place of its one value. */
export function Said({ say, children }: { say: (gap: string) => string; children: ReactNode }) {
  const [before, after] = say(GAP).split(GAP);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

/** The people that a row names, and the words around the names. */
export interface RowPeople {
  names: readonly string[];
  say?: (names: string) => string;
}

/** As above, for a line of its own; one name alone decides where the line begins. */
export function People({ people: { names, say } }: { people: RowPeople }) {
  if (say) {
    return (
      <Said say={say}>
        <Names names={names} />
      </Said>
    );
  }
  return names.length === 1 ? names[0] : <Names names={names} />;
}
