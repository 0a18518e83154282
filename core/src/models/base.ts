import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

// Functions, not constants: Sequelize writes the column's name into the object that it is given, so
// two columns can't share one

type Column = ModelAttributeColumnOptions;

/** The primary key of every table: BIGINT in the database, a decimal string in code. */
export const idColumn = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, autoIncrement: true, primaryKey: true });

/** A reference to another table's id. */
export const reference = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, allowNull: false });

/** A reference that may be absent. */
export const optionalReference = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, allowNull: true });

/** A flag that is off by default. */
export const off = (): Column => ({ type: DataTypes.BOOLEAN, allowNull: false, defaultValue: false });

/** A flag that is on by default. */
export const on = (): Column => ({ type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true });

/** Text of at most `length` characters. */
export const text = (length: number): Column => ({ type: DataTypes.STRING(length), allowNull: false });

/** Text that may be absent. */
export const optionalText = (length: number): Column => ({ type: DataTypes.STRING(length), allowNull: true });

/** A moment with milliseconds, UTC. */
export const moment = (): Column => ({ type: DataTypes.DATE(3), allowNull: false });

/** A moment that may be absent. */
export const optionalMoment = (): Column => ({ type: DataTypes.DATE(3), allowNull: true });

/**
 * Counts the changes of a record, from 1, so that a form can tell whether it starts from the
 * latest.
 */
export const recordVersion = (): Column => counter(1);

/** A whole number from 0 on. */
export const wholeNumber = (): Column => ({ type: DataTypes.INTEGER.UNSIGNED, allowNull: false });

/** A whole number that begins at `first`. */
export const counter = (first = 0): Column => ({ ...wholeNumber(), defaultValue: first });

/** A number of things that may be absent. */
export const optionalCount = (): Column => ({ type: DataTypes.INTEGER.UNSIGNED, allowNull: true });

/** A number of bytes that may be absent: a decimal string in code, as ids are. */
export const optionalBytes = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, allowNull: true });
