import { conflict } from '@selvage/core/errors';
import { UniqueConstraintError } from 'sequelize';

/** What is answered when another record has the name. */
interface Taken {
  text: string;
  code: string;
  /** The field of the form. */
  field: string;
}

/** Writes a record with a name that its neighbours may not have. @throws 409 when one has it */
export async function writeUniqueName<T>({ text, code, field }: Taken, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw conflict(text, code, { [field]: text });
  }
}
