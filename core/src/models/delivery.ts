import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { counter, idColumn, moment, optionalMoment, optionalReference, optionalText, text } from './base.ts';

/** States of a ledger row; `accepted = stored + relayed + bounced + held + queued` (D30). */
export type DeliveryState = 'held' | 'queued' | 'stored' | 'relayed' | 'bounced' | 'refused' | 'cancelled';

/**
 * How the connection to a remote server was protected: not at all, by TLS with an unproved server,
 * or by TLS with a server whose certificate was checked, as the domain demands (MTA-STS, DANE) or
 * the operator (a smarthost) (D37).
 */
export type DeliveryTls = 'none' | 'encrypted' | 'mta_sts' | 'dane' | 'relay';

/** How an address of this host led to the mailbox of a person that has another one (D35). */
export interface Expansion {
  by: 'alias' | 'group' | 'catch_all';
  /** Address of the mailbox. */
  to: string;
}

/**
 * The ledger: what became of one message for one recipient (D30). An outgoing row is also the
 * queue.
 */
export class Delivery extends Model<InferAttributes<Delivery>, InferCreationAttributes<Delivery>> {
  declare id: CreationOptional<string>;
  /**
   * The sender's company for outgoing rows, the recipient's for incoming ones; absent for mail that
   * was refused before the company was known.
   */
  declare companyId: CreationOptional<string | null>;
  /** Absent for mail that was refused. */
  declare messageId: CreationOptional<string | null>;
  declare mailId: string;
  declare direction: 'in' | 'out';
  declare recipient: string;
  declare recipientDomain: string;
  declare envelopeFrom: string;
  declare state: DeliveryState;
  declare reason: CreationOptional<string | null>;
  /**
   * How many answers the row stands for: more than 1 for the refusals of a flood, and 0 for what
   * was restored from an archive, and for a person of a group to which a person of this host wrote.
   * The row of the group is the answer.
   */
  declare answers: CreationOptional<number>;
  /**
   * The remote server's own words, or a description of the failed connection to it; those of this
   * host where `remoteHost` is absent.
   */
  declare lastReply: CreationOptional<string | null>;
  declare remoteHost: CreationOptional<string | null>;
  /** Of the last attempt that a remote server answered. */
  declare tls: CreationOptional<DeliveryTls | null>;
  /** `TLSv1.3`; null in the clear. */
  declare tlsProtocol: CreationOptional<string | null>;
  declare attempts: CreationOptional<number>;
  declare nextAttemptAt: CreationOptional<Date | null>;
  /** While in the future, a worker holds the row. */
  declare leaseUntil: CreationOptional<Date | null>;
  /**
   * The worker's claim that holds the row, or held it last. Rows that were claimed at once share
   * it.
   */
  declare claimId: CreationOptional<string | null>;
  /**
   * When a scheduled message was released (D48); its delivery is as old as that. Null for all
   * others, whose delivery is as old as the row.
   */
  declare releasedAt: CreationOptional<Date | null>;
  declare delayReportedAt: CreationOptional<Date | null>;
  /** The sender's Sent entry for outgoing rows, the receiver's entry for stored ones. */
  declare entryId: CreationOptional<string | null>;
  /** How the recipient's address led to a person; absent where it is their mailbox. */
  declare expandedBy: CreationOptional<Expansion['by'] | null>;
  /**
   * Address of that person's mailbox; absent where a group has a row for each of its members.
   */
  declare expandedTo: CreationOptional<string | null>;
  /**
   * Outgoing: address of the mailbox whose owner forwards the message to the recipient (D35).
   * Absent for a recipient that the sender of the message named.
   */
  declare forwardedFor: CreationOptional<string | null>;
  /** A number made of the Message-ID; absent without one, and in rows from before it was kept. */
  declare messageIdHash: CreationOptional<string | null>;
  /** How it came, what was checked and where it went (`ledger/message-facts.ts`). */
  declare facts: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds Delivery to a database. */
export function initDelivery(sequelize: Sequelize): void {
  Delivery.init(
    {
      id: idColumn(),
      companyId: optionalReference(),
      messageId: optionalReference(),
      mailId: text(40),
      direction: { type: DataTypes.ENUM('in', 'out'), allowNull: false },
      recipient: text(320),
      recipientDomain: text(255),
      envelopeFrom: text(320),
      state: {
        type: DataTypes.ENUM('held', 'queued', 'stored', 'relayed', 'bounced', 'refused', 'cancelled'),
        allowNull: false,
      },
      reason: optionalText(40),
      answers: counter(1),
      lastReply: optionalText(1000),
      remoteHost: optionalText(255),
      tls: { type: DataTypes.ENUM('none', 'encrypted', 'mta_sts', 'dane', 'relay'), allowNull: true },
      tlsProtocol: optionalText(10),
      attempts: counter(),
      nextAttemptAt: optionalMoment(),
      leaseUntil: optionalMoment(),
      claimId: optionalText(24),
      releasedAt: optionalMoment(),
      delayReportedAt: optionalMoment(),
      entryId: optionalReference(),
      expandedBy: { type: DataTypes.ENUM('alias', 'group', 'catch_all'), allowNull: true },
      expandedTo: optionalText(254),
      forwardedFor: optionalText(254),
      messageIdHash: optionalReference(),
      facts: optionalText(1000),
      createdAt: moment(),
      updatedAt: moment(),
    },
    { sequelize, tableName: 'deliveries', underscored: true },
  );
}
