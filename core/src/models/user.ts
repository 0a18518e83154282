import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from 'sequelize';
import { Address } from './address.ts';
import {
  counter,
  idColumn,
  moment,
  off,
  on,
  optionalBytes,
  optionalMoment,
  optionalReference,
  optionalText,
  recordVersion,
  reference,
  text,
} from './base.ts';

/** A person and their mailbox. */
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  declare id: CreationOptional<string>;
  declare companyId: string;
  /** The role's record id. */
  declare roleId: string;
  declare domainId: CreationOptional<string | null>;
  /**
   * Lower-case address; unique on the host, and never changed. Its row in `addresses` keeps aliases
   * and groups from having it.
   */
  declare email: string;
  /** Argon2id in PHC form. */
  declare passwordHash: string;
  declare fname: string;
  declare lname: CreationOptional<string>;
  declare phoneNumber: CreationOptional<string | null>;
  declare country: CreationOptional<string | null>;
  declare designation: CreationOptional<string | null>;
  declare bio: CreationOptional<string | null>;
  declare avatar: CreationOptional<string | null>;
  /** As the person entered it; used for nothing until it is confirmed. */
  declare recoveryEmail: CreationOptional<string | null>;
  /**
   * The last recovery address whose owner opened the link that was mailed to it. Links and codes go
   * there, but only where `findRecoveryAddress` says that it still counts.
   */
  declare confirmedRecoveryEmail: CreationOptional<string | null>;
  /**
   * The person whose mailbox that address was when it was confirmed; null for an address of another
   * host.
   */
  declare confirmedRecoveryUserId: CreationOptional<string | null>;
  /**
   * The password was set with a link to the recovery address while two-factor was on. A code to
   * that address then proves nothing more, until the person passes another factor or sets the
   * password in another way (D13).
   */
  declare passwordByRecoveryEmail: CreationOptional<boolean>;
  /** Where copies of the person's mail go, once `forwardConfirmedAt` is set (D35). */
  declare forwardTo: CreationOptional<string | null>;
  /**
   * The row of `addresses` that `forwardTo` led to when its owner was asked, also once that row is
   * gone. Null where there was none, as for an address of another host.
   */
  declare forwardAddressId: CreationOptional<string | null>;
  /** When the owner of `forwardTo` agreed to it. */
  declare forwardConfirmedAt: CreationOptional<Date | null>;
  /** Only what a filter names is forwarded (D46). */
  declare forwardsFiltered: CreationOptional<boolean>;
  /**
   * Whether `blocked_senders` has rows for the person. All code that changes those keeps this true.
   */
  declare hasBlocked: CreationOptional<boolean>;
  /** Whether the person has a filter that is on. */
  declare hasFilters: CreationOptional<boolean>;
  /** Whether the answer for an absence is on (D47). */
  declare hasVacation: CreationOptional<boolean>;
  declare activeStatus: CreationOptional<boolean>;
  declare loginAllowed: CreationOptional<boolean>;
  declare requiredData: CreationOptional<boolean>;
  declare passwordChangeRequired: CreationOptional<boolean>;
  /** Sealed. */
  declare twoFactorSecret: CreationOptional<string | null>;
  /** Time step of the last code that was accepted: a code works once (RFC 6238 5.2). */
  declare twoFactorLastStep: CreationOptional<number>;
  declare twoFactorStatus: CreationOptional<boolean>;
  /** Raised by every change that must make the tokens invalid at once (D4). */
  declare tokenVersion: CreationOptional<number>;
  /** Raised by each change that a form makes of the person, and by nothing else. */
  declare version: CreationOptional<number>;
  /** Most bytes in the mailbox; null for the default of the company. */
  declare storageLimit: CreationOptional<string | null>;
  /** For how long the person can take back a sent message; null for the default of the host. */
  declare undoMs: CreationOptional<number | null>;
  /** How the person likes the web app to be, by the names of the contract. */
  declare choices: CreationOptional<Record<string, unknown> | null>;
  /** The signature of new mail. */
  declare signatureNewId: CreationOptional<string | null>;
  /** The signature of replies and forwards. */
  declare signatureReplyId: CreationOptional<string | null>;
  declare deletedAt: CreationOptional<Date | null>;
  /**
   * When its permanent deletion was asked for. From then on no call finds it, and a job removes its
   * rows.
   */
  declare erasedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds User to a database. */
export function initUser(sequelize: Sequelize): void {
  User.init(
    {
      id: idColumn(),
      companyId: reference(),
      roleId: reference(),
      domainId: optionalReference(),
      email: text(254),
      passwordHash: text(255),
      fname: text(100),
      lname: { ...text(100), defaultValue: '' },
      phoneNumber: optionalText(20),
      country: optionalText(100),
      designation: optionalText(100),
      bio: optionalText(1000),
      avatar: optionalText(128),
      recoveryEmail: optionalText(254),
      confirmedRecoveryEmail: optionalText(254),
      confirmedRecoveryUserId: optionalReference(),
      passwordByRecoveryEmail: off(),
      forwardTo: optionalText(254),
      forwardAddressId: optionalReference(),
      forwardConfirmedAt: optionalMoment(),
      forwardsFiltered: off(),
      hasBlocked: off(),
      hasFilters: off(),
      hasVacation: off(),
      activeStatus: on(),
      loginAllowed: on(),
      requiredData: off(),
      passwordChangeRequired: off(),
      twoFactorSecret: optionalText(255),
      twoFactorLastStep: counter(),
      twoFactorStatus: off(),
      undoMs: { type: DataTypes.INTEGER.UNSIGNED, allowNull: true },
      choices: { type: DataTypes.JSON, allowNull: true },
      tokenVersion: counter(),
      version: recordVersion(),
      storageLimit: optionalBytes(),
      signatureNewId: optionalReference(),
      signatureReplyId: optionalReference(),
      deletedAt: optionalMoment(),
      erasedAt: optionalMoment(),
      createdAt: moment(),
      updatedAt: moment(),
    },
    {
      sequelize,
      tableName: 'users',
      underscored: true,
      hooks: {
        afterCreate: addMailboxAddress,
        beforeBulkCreate: (_users, options) => {
          options.individualHooks = true;
        },
      },
    },
  );
}

/**
 * Each person owns the address of their mailbox from the start, whichever code adds the person. The
 * database refuses the row, and so the person, when an alias or a group has the address (D35). The
 * address becomes free when the row of the person is removed, and not before: a deleted person can
 * be restored.
 */
async function addMailboxAddress(user: User, { transaction }: { transaction?: Transaction | null }): Promise<void> {
  const { id: userId, companyId, domainId, email: address } = user;
  const owned = { companyId, domainId: domainId ?? null, address, kind: 'mailbox' as const, userId: String(userId) };
  await Address.create(owned, { transaction: transaction ?? null });
}
