import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { counter, idColumn, moment, optionalMoment, reference, text } from './base.ts';

/** A WebAuthn credential, a second factor beside the codes of an app. */
export class Passkey extends Model<InferAttributes<Passkey>, InferCreationAttributes<Passkey>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  declare userId: string;
  declare passkeyName: string;
  /** base64url. */
  declare credentialId: string;
  /** COSE key, base64url. */
  declare publicKey: string;
  /** The device's count of its signatures; many devices always say 0. */
  declare counter: CreationOptional<number>;
  declare transports: string[];
  declare lastUsedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Passkey to a database. */
export function initPasskey(sequelize: Sequelize): void {
  Passkey.init(
    {
      id: idColumn(),
      companyId: reference(),
      userId: reference(),
      passkeyName: text(100),
      credentialId: text(1400),
      publicKey: { type: DataTypes.TEXT, allowNull: false },
      counter: counter(),
      transports: { type: DataTypes.JSON, allowNull: false },
      lastUsedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'passkeys', underscored: true },
  );
}
