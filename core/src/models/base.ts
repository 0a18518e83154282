import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

// Functions, not constants: Sequelize writes the column's name into the object it is given, so no two columns may share one.

type Column = ModelAttributeColumnOptions;

/** The primary key of every table: BIGINT in the database, a decimal string in code. */
export const idColumn = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, autoIncrement: true, primaryKey: true });

/** A reference to another table's id. */
export const reference = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, allowNull: false });

/** A reference that may be absent. */
export const optionalReference = (): Column => ({ type: DataTypes.BIGINT.UNSIGNED, allowNull: true });

/** A column that is off unless somebody turns it on. */
export const off = (): Column => ({ type: DataTypes.BOOLEAN, allowNull: false, defaultValue: false });

/** A column that is on unless somebody turns it off. */
export const on = (): Column => ({ type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true });

/** Text of at most `length` characters. */
export const text = (length: number): Column => ({ type: DataTypes.STRING(length), allowNull: false });

/** Text that may be absent. */
export const optionalText = (length: number): Column => ({ type: DataTypes.STRING(length), allowNull: true });

/** A moment with milliseconds, UTC. */
export const moment = (): Column => ({ type: DataTypes.DATE(3), allowNull: false });

/** A moment that may not have come. */
export const optionalMoment = (): Column => ({ type: DataTypes.DATE(3), allowNull: true });

/** Counts the changes of a record, from 1, so that a form can tell whether it starts from the latest. */
export const recordVersion = (): Column => ({ type: DataTypes.INTEGER.UNSIGNED, allowNull: false, defaultValue: 1 });
