type Fields = Record<string, string | string[]>;

/** `name`, `name[]` or `name[3]`. */
const fieldName = /^([a-z_][\w-]{0,63})(\[\d{0,4}\])?$/i;

/**
 * Text fields of a multipart body by their plain names. `x[]` and `x[0]` become lists in the order
 * of their numbers. Any other name is kept as it is, for the contract to refuse or ignore.
 */
export function groupFields(fields: Fields, listNames: ReadonlySet<string>): Record<string, string | string[]> {
  const lists = new Map<string, { order: number; value: string }[]>();
  const grouped: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    const [, plain = name, brackets] = fieldName.exec(name) ?? [];
    const values = Array.isArray(value) ? value : [value];
    if (!brackets && !listNames.has(plain)) {
      grouped[plain] = values.length === 1 ? (values[0] ?? '') : values;
      continue;
    }
    const order = brackets && brackets !== '[]' ? Number(brackets.slice(1, -1)) : Number.MAX_SAFE_INTEGER;
    const list = lists.get(plain) ?? [];
    list.push(...values.map((item) => ({ order, value: item })));
    lists.set(plain, list);
  }
  for (const [name, list] of lists) {
    grouped[name] = list.toSorted((a, b) => a.order - b.order).map((item) => item.value);
  }
  return grouped;
}
