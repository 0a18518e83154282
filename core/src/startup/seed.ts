import { randomBytes } from 'node:crypto';
import { modelNames } from '../contracts/permissions.ts';
import { provisionTenant } from '../directory/provision-tenant.ts';
import { Client } from '../models/client.ts';
import { Company } from '../models/company.ts';
import { Module } from '../models/module.ts';
import type { Config } from '../process/config.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { hashPassword } from '../secrets/password-hash.ts';

/**
 * Makes what the very first start needs: the modules (D5), and the provider company with its
 * default client, its roles, its mail domain and the Super Admin (D1). Does nothing when a provider
 * exists.
 * @returns the administrator's address, and the password if it was generated now (shown once, never
 * stored in clear)
 */
export async function seedFirstStart(ctx: Ctx, config: Config): Promise<{ email: string; password: string | null }> {
  const provider = await Company.findOne({ where: { isProvider: true } });
  if (provider) return { email: config.adminEmail, password: null };
  const password = config.adminPassword ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  await inTransaction(ctx, async (inside) => {
    await seedModules(inside);
    await seedProvider(inside, config, passwordHash);
  });
  return { email: config.adminEmail, password: config.adminPassword ? null : password };
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
      // A password that stands in a terminal or a log is good for one login
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
