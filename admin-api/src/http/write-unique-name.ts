import { conflict } from '@selvage/core/errors';
import { UniqueConstraintError } from 'sequelize';

/** The answer when another record already has the name. */
interface Taken {
  text: string;
  code: string;
  /** The field of the form that has the name. */
  field: string;
}

/**
 * Runs `write`, which stores a record whose name must be unique. @throws 409 when the name is taken
 */
export async function writeUniqueName<T>({ text, code, field }: Taken, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw conflict(text, code, { [field]: text });
  }
}
