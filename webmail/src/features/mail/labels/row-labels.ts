/*
 * A pending change of labels is stored like a change of flags, with one flag for each label:
 * `label:12`. So a second change, an Undo or a failure never affects another label of the same
 * message.
 */

/** New values of labels of a message. */
export type LabelPatch = Record<`label:${string}`, boolean>;

export const labelFlag = (id: string): `label:${string}` => `label:${id}`;

/** The id of the label that a flag is about; null for any other name. */
export function labelOfFlag(name: string): string | null {
  return name.startsWith('label:') ? name.slice(6) : null;
}

/** The labels of a message, including its pending changes. */
export function labelsOf(row: { labels: readonly string[] }): readonly string[] {
  return withLabels(row.labels, row);
}

/** The labels after a change. Flags of the change that are no labels are ignored. */
export function withLabels(labels: readonly string[], change: object): readonly string[] {
  let changed = labels;
  for (const [name, isOn] of Object.entries(change)) {
    const id = labelOfFlag(name);
    if (id === null || changed.includes(id) === isOn) continue;
    changed = isOn === true ? [...changed, id] : changed.filter((one) => one !== id);
  }
  return changed;
}
