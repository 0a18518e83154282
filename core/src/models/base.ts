import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

/** The primary key of every table: BIGINT in the database, a decimal string in code. */
export const idColumn = {
  type: DataTypes.BIGINT.UNSIGNED,
  autoIncrement: true,
  primaryKey: true,
} satisfies ModelAttributeColumnOptions;

/** A reference to another table's id. */
export const reference = { type: DataTypes.BIGINT.UNSIGNED, allowNull: false } satisfies ModelAttributeColumnOptions;

/** A reference that may be absent. */
export const optionalReference = {
  type: DataTypes.BIGINT.UNSIGNED,
  allowNull: true,
} satisfies ModelAttributeColumnOptions;

/** A column that is off unless somebody turns it on. */
export const off = {
  type: DataTypes.BOOLEAN,
  allowNull: false,
  defaultValue: false,
} satisfies ModelAttributeColumnOptions;

/** A column that is on unless somebody turns it off. */
export const on = {
  type: DataTypes.BOOLEAN,
  allowNull: false,
  defaultValue: true,
} satisfies ModelAttributeColumnOptions;

/** Text of at most `length` characters. */
export const text = (length: number): ModelAttributeColumnOptions => ({
  type: DataTypes.STRING(length),
  allowNull: false,
});

/** Text that may be absent. */
export const optionalText = (length: number): ModelAttributeColumnOptions => ({
  type: DataTypes.STRING(length),
  allowNull: true,
});

/** A moment with milliseconds, UTC. */
export const moment = { type: DataTypes.DATE(3), allowNull: false } satisfies ModelAttributeColumnOptions;

/** A moment that may not have come. */
export const optionalMoment = { type: DataTypes.DATE(3), allowNull: true } satisfies ModelAttributeColumnOptions;
