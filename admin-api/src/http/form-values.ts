/**
 * The values of a form by attribute. An empty text becomes null: the contract has already refused
 * empty texts for required fields.
 * @param fields the fields of the body by the attributes that they fill
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
