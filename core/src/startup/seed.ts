import { randomBytes } from 'node:crypto';
import { builtInRole, modelNames } from '../contracts/permissions.ts';
import { readRows } from '../database/run-sql.ts';
import { provisionTenant } from '../directory/provision-tenant.ts';
import { Client } from '../models/client.ts';
import { Company } from '../models/company.ts';
import { Module } from '../models/module.ts';
import type { Config } from '../process/config.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { hasBlobs } from '../mailstore/blob-store.ts';
import { OperatorError } from '../operator-error.ts';
import { hashPassword } from '../secrets/password-hash.ts';

/** A Super Admin of the host, as the start names one. */
export interface HostAdministrator {
  /** Null when none can log in. */
  email: string | null;
  /** Only if it was generated now: it is shown once, and never stored in clear. */
  password: string | null;
}

/**
 * Makes what the very first start needs: the modules (D5), and the provider company with its
 * default client, its roles, its mail domain and the Super Admin (D1). Does nothing when a provider
 * exists.
 * @returns the Super Admin that was made, or the first that there is
 * @throws OperatorError when the store has mail, since the database of that mail is another one
 */
export async function seedFirstStart(ctx: Ctx, config: Config): Promise<HostAdministrator> {
  const provider = await Company.findOne({ where: { isProvider: true } });
  if (provider) return { email: await firstAdministrator(ctx, String(provider.id)), password: null };
  if (await hasBlobs(ctx.app.blobs)) throw emptyDatabase(config);
  const password = config.adminPassword ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  await inTransaction(ctx, async (inside) => {
    await seedModules(inside);
    await seedProvider(inside, config, passwordHash);
  });
  return { email: config.adminEmail, password: config.adminPassword ? null : password };
}

/** A new provider would have the doors refuse all mail, and the sweeps delete what is there. */
function emptyDatabase({ blobStore, source }: Config): OperatorError {
  const question =
    source.given['DATABASE_URL'] === undefined
      ? 'Was the host started with a DATABASE_URL before, or is the disk of its database not mounted?'
      : 'Is DATABASE_URL right?';
  return new OperatorError(
    `The database is empty, but ${blobStore.directory} holds the mail of a host. ${question} If the database is lost, run ./ops/restore with --replace. For a new host, name an empty SELVAGE_DATA and BLOB_STORE.`,
  );
}

async function firstAdministrator(ctx: Ctx, companyId: string): Promise<string | null> {
  const [first] = await readRows<{ email: string }>(
    ctx,
    `SELECT u.email FROM users u JOIN roles r ON r.id = u.role_id
      WHERE u.company_id = ? AND r.role_id = ? AND u.active_status AND u.login_allowed AND u.deleted_at IS NULL
      ORDER BY u.id LIMIT 1`,
    [companyId, builtInRole.superAdmin],
  );
  return first?.email ?? null;
}

async function seedModules(ctx: Ctx): Promise<void> {
  await Module.bulkCreate(
    modelNames.map((name) => ({ name, isBuiltIn: true })),
    { transaction: ctx.tx, ignoreDuplicates: true },
  );
}

async function seedProvider(ctx: TxCtx, config: Config, passwordHash: string): Promise<void> {
  const { company } = await provisionTenant(ctx, {
    company: { name: config.hostname, isProvider: true },
    administrator: {
      email: config.adminEmail,
      passwordHash,
      fname: 'Super',
      lname: 'Admin',
      requiredData: false,
      // A generated password is shown in a terminal or a log, so it is good for one login only
      passwordChangeRequired: config.adminPassword === null,
    },
  });
  await Client.create(
    {
      companyId: String(company.id),
      fname: config.hostname,
      personalEmail: config.adminEmail,
      businessEmail: config.adminEmail,
      isDefault: true,
    },
    { transaction: ctx.tx },
  );
}
