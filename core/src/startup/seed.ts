import { randomBytes } from 'node:crypto';
import { builtInRole, modelNames } from '../contracts/permissions.ts';
import { generateDkim } from '../jobs/generate-dkim.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { domainOf } from '../mail/addresses.ts';
import { Client } from '../models/client.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { Module } from '../models/module.ts';
import { User } from '../models/user.ts';
import type { Config } from '../process/config.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { hashPassword } from '../secrets/password-hash.ts';
import { defaultSelector } from '../outbound/sign-outgoing.ts';
import { createBuiltInRoles } from '../access/built-in-roles.ts';

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
  const options = { transaction: ctx.tx };
  const domainName = domainOf(config.adminEmail);
  const company = await Company.create({ name: config.hostname, email: config.adminEmail, isProvider: true }, options);
  const companyId = String(company.id);
  await Client.create(
    {
      companyId,
      fname: config.hostname,
      personalEmail: config.adminEmail,
      businessEmail: config.adminEmail,
      isDefault: true,
    },
    options,
  );
  const domain = await Domain.create({ companyId, domainName }, options);
  const roles = await createBuiltInRoles(ctx, company);
  const role = roles.get(builtInRole.superAdmin);
  if (!role) throw new Error('the built-in roles lack the Super Admin');
  await User.create(
    {
      companyId,
      roleId: String(role.id),
      domainId: String(domain.id),
      email: config.adminEmail,
      passwordHash,
      fname: 'Super',
      lname: 'Admin',
      // A password that stands in a terminal or a log is good for one login
      passwordChangeRequired: config.adminPassword === null,
    },
    options,
  );
  await enqueue(ctx, generateDkim, { domainId: String(domain.id), selector: defaultSelector });
}
