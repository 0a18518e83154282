/**
 * The values that a form sent, by attribute. An empty text means no value: the contract has refused
 * it where the record needs one.
 * @param fields the body's fields by the attributes that they fill
 */
export function formValues<T extends object>(
  fields: { readonly [A in keyof T]?: string },
  body: Readonly<Record<string, unknown>>,
): Partial<T> {
  const given = Object.entries<string | undefined>(fields).flatMap(([attribute, field = attribute]) => {
    const value = body[field];
    return value === undefined ? [] : [[attribute, value === '' ? null : value]];
  });
  return Object.fromEntries(given) as Partial<T>;
}
