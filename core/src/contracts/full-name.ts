interface Named {
  fname: string;
  lname?: string | null | undefined;
}

/** A person's first and last name as they are shown; empty for a person without either. */
export function fullName({ fname, lname }: Named): string {
  return `${fname} ${lname ?? ''}`.trim();
}

/** What a person is called: the full name, or the address of a person without one. */
export function nameOrAddress(person: Named & { email: string }): string {
  return fullName(person) || person.email;
}
