import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { counter, idColumn, moment, optionalMoment, optionalReference, optionalText, reference, text } from './base.ts';

/** A row stays as `removed` to record that there was an archive, until the company is erased. */
export type ArchiveState = 'making' | 'ready' | 'failed' | 'removed';

/** Why an archive was not made. */
export type ArchiveProblem = 'no_room' | 'damaged' | 'failed';

/** Everything of a company in a file (D66). */
export class CompanyArchive extends Model<InferAttributes<CompanyArchive>, InferCreationAttributes<CompanyArchive>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** The company while the archive is being made: it is unique. */
  declare makingOf: string | null;
  /** The person that asked for it; null once they are permanently deleted. */
  declare askedBy: string | null;
  declare askerName: string;
  declare state: ArchiveState;
  declare problem: CreationOptional<ArchiveProblem | null>;
  /** The name under which a browser saves the file. */
  declare fileName: string;
  /** How many messages there were when the archive was begun; only used to show the progress. */
  declare total: CreationOptional<number>;
  declare done: CreationOptional<number>;
  /** Messages whose bytes are lost on this host. */
  declare lost: CreationOptional<number>;
  declare people: CreationOptional<number>;
  /** Size of the file. */
  declare bytes: CreationOptional<string>;
  /** SHA-256 of the finished file. */
  declare sha256: CreationOptional<string | null>;
  /** How far it is written; see core/src/company-archive/cursor.ts. */
  declare cursorAt: object;
  /** The run that may write the archive, until `leaseUntil`. */
  declare claimId: CreationOptional<string | null>;
  declare leaseUntil: CreationOptional<Date | null>;
  declare finishedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds CompanyArchive to a database. */
export function initCompanyArchive(sequelize: Sequelize): void {
  CompanyArchive.init(
    {
      id: idColumn(),
      companyId: reference(),
      makingOf: optionalReference(),
      askedBy: optionalReference(),
      askerName: text(255),
      state: text(16),
      problem: optionalText(32),
      fileName: text(200),
      total: counter(),
      done: counter(),
      lost: counter(),
      people: counter(),
      bytes: { type: DataTypes.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 },
      sha256: optionalText(64),
      cursorAt: { type: DataTypes.JSON, allowNull: false },
      claimId: optionalText(36),
      leaseUntil: optionalMoment(),
      finishedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'company_archives', underscored: true },
  );
}
