import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { LabelColour } from '../contracts/labels.ts';
import { counter, idColumn, moment, optionalMoment, optionalText, reference, text } from './base.ts';

/** A label that a person puts on their messages (D60). */
export class Label extends Model<InferAttributes<Label>, InferCreationAttributes<Label>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare name: string;
  /** The form in which names are compared; null once the label is deleted. */
  declare nameKey: string | null;
  declare colour: LabelColour;
  /** How many messages it shows. */
  declare total: CreationOptional<number>;
  declare unread: CreationOptional<number>;
  /** When it was deleted; a job removes it from its messages. */
  declare removedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Label to a database. */
export function initLabel(sequelize: Sequelize): void {
  Label.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      name: text(100),
      nameKey: optionalText(255),
      colour: text(16),
      total: counter(),
      unread: counter(),
      removedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'labels', underscored: true },
  );
}
