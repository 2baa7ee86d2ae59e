import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { PasswordLinks } from '../../modules/auth/password-links.js'
import type { ContactCenter } from '../../modules/contact-centers/contact-center.js'
import { allCenters } from '../../modules/contact-centers/contact-center-list.js'
import type { ContactCenterQuotasInput, Quota } from '../../modules/contact-centers/contact-center-input.js'
import { createContactCenter } from '../../modules/contact-centers/create-contact-center.js'
import { invitationOf } from '../../modules/contact-centers/invitation.js'
import {
  archiveContactCenter,
  reopenContactCenter,
  updateContactCenter,
} from '../../modules/contact-centers/update-contact-center.js'
import { countUsedOf } from '../../modules/organizations/quotas.js'

export interface CommandParts {
  ctx: Context
  transact: Transact
  links: PasswordLinks
  sql: Sql
}

type Command = (args: readonly string[]) => (parts: CommandParts) => Promise<string>

const QUOTA_OPTIONS: Readonly<Record<string, Quota>> = {
  users: 'users',
  organizations: 'organizations',
  'guest-messages-per-minute': 'guestMessagesPerMinute',
  'guest-upload-mebibytes-per-day': 'guestUploadMebibytesPerDay',
}
const QUOTA_USAGE = Object.keys(QUOTA_OPTIONS).map((name) => `[--${name} N|none]`)

export const USAGE = [
  `usage: npm run center -- create --name NAME --owner EMAIL [--owner-name NAME] ${QUOTA_USAGE.join(' ')}`,
  `       npm run center -- update ID [--name NAME] ${QUOTA_USAGE.join(' ')}`,
  '       npm run center -- list | archive ID | reopen ID',
].join('\n')

const NAMES = {
  create: { name: { type: 'string' }, owner: { type: 'string' }, 'owner-name': { type: 'string' } },
  update: { name: { type: 'string' } },
  none: {},
} as const

const COMMANDS: Readonly<Record<string, Command>> = {
  create(args) {
    const { name, owner, 'owner-name': ownerName, ...rest } = read(args, 0, NAMES.create).values
    if (name === undefined) throw new Error(`--name is required\n${USAGE}`)
    if (owner === undefined) throw new Error(`--owner is required: the email of who is invited\n${USAGE}`)
    const quotas = quotasOf(rest)
    return async ({ ctx, transact, links }) => {
      const input = { name, ownerEmail: owner, ownerName: ownerName ?? null, quotas }
      const center = await createContactCenter(ctx, transact, input)
      const invitation = await invitationOf(links, center)
      return [
        `created ${center.id}: ${center.name}`,
        `${owner} owns it, and chooses a password by this link, which is mailed as well where SMTP_URL is set:`,
        `  ${invitation?.url}`,
        `  until ${invitation?.expiresAt.toISOString()}; whoever has it signs in as the owner`,
      ].join('\n')
    }
  },

  list(args) {
    read(args, 0, NAMES.none)
    return async ({ sql }) => {
      const centers = await allCenters(sql)
      const used = await countUsedOf(
        sql,
        centers.map(({ id }) => id),
      )
      return centers.map((center) => line(center, used.get(center.id)!)).join('\n')
    }
  },

  update(args) {
    const { values, id } = read(args, 1, NAMES.update)
    const { name, ...rest } = values
    const patch = { ...(name !== undefined && { name }), quotas: quotasOf(rest) }
    if (Object.keys(values).length === 0) throw new Error(`nothing to change is given\n${USAGE}`)
    return async ({ ctx, transact }) => {
      const center = await updateContactCenter(ctx, transact, { id, patch })
      return `changed ${center.id}: ${center.name}`
    }
  },

  archive(args) {
    const { id } = read(args, 1, NAMES.none)
    return async ({ ctx, transact }) => {
      const { name } = await archiveContactCenter(ctx, transact, id)
      return `archived ${id}: ${name}; nothing is deleted: npm run center -- reopen ${id}`
    }
  },

  reopen(args) {
    const { id } = read(args, 1, NAMES.none)
    return async ({ ctx, transact }) => `reopened ${id}: ${(await reopenContactCenter(ctx, transact, id)).name}`
  },
}

/** Reads a command line, before anything is opened. @throws Error that says what is wrong, and the usage */
export function readCommand([name, ...args]: readonly string[]): (parts: CommandParts) => Promise<string> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new Error(name === undefined ? USAGE : `no command ${JSON.stringify(name)}\n${USAGE}`)
  return command(args)
}

function read<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  positionals: 0 | 1,
  own: Options,
): { values: Record<string, string | undefined>; id: string } {
  const quotas = own === NAMES.none ? {} : Object.fromEntries(Object.keys(QUOTA_OPTIONS).map((name) => [name, STRING]))
  const parsed = parsedOf(args, { ...quotas, ...own })
  if (parsed.positionals.length !== positionals) {
    throw new Error(`${positionals === 1 ? 'the id of one contact center is required' : 'no id is expected'}\n${USAGE}`)
  }
  return { values: parsed.values as Record<string, string | undefined>, id: parsed.positionals[0] ?? '' }
}

const STRING = { type: 'string' } as const

function parsedOf(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

function quotasOf(values: Record<string, string | undefined>): ContactCenterQuotasInput {
  const quotas: ContactCenterQuotasInput = {}
  for (const [option, text] of Object.entries(values)) {
    if (text === undefined) continue
    if (text !== 'none' && !/^\d{1,15}$/.test(text)) {
      throw new Error(`--${option} must be a whole number or none, not ${JSON.stringify(text)}`)
    }
    quotas[QUOTA_OPTIONS[option]!] = text === 'none' ? null : Number(text)
  }
  return quotas
}

function line(center: ContactCenter, used: { users: number; organizations: number }): string {
  const { id, name, createdAt, archivedAt, ownerEmail, invitedId } = center
  const state = archivedAt ? `archived ${archivedAt.toISOString()}` : invitedId ? 'owner invited' : 'in use'
  const count = (have: number, max: number | null, what: string) => `${have}${max === null ? '' : `/${max}`} ${what}`
  return [
    id,
    name,
    state,
    ownerEmail ?? 'no owner',
    count(used.users, center.usersMax, 'users'),
    count(used.organizations, center.organizationsMax, 'organizations'),
    `since ${createdAt.toISOString()}`,
  ].join('\t')
}
