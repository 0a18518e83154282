/*
 * A change of labels is kept as a change of flags is, one flag for each label: `label:12`. So a
 * second change, an Undo and a failure never touch another label of the same message.
 */

/** New values of labels of a message. */
export type LabelPatch = Record<`label:${string}`, boolean>;

export const labelFlag = (id: string): `label:${string}` => `label:${id}`;

/** The id of the label that a flag is about; null for any other name. */
export function labelOfFlag(name: string): string | null {
  return name.startsWith('label:') ? name.slice(6) : null;
}

/** The labels of a message, with the changes that lie over it. */
export function labelsOf(row: { labels: readonly string[] }): readonly string[] {
  return withLabels(row.labels, row);
}

/** Labels after a change; what else the change has is passed over. */
export function withLabels(labels: readonly string[], change: object): readonly string[] {
  let changed = labels;
  for (const [name, isOn] of Object.entries(change)) {
    const id = labelOfFlag(name);
    if (id === null || changed.includes(id) === isOn) continue;
    changed = isOn === true ? [...changed, id] : changed.filter((one) => one !== id);
  }
  return changed;
}
