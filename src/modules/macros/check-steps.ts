import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import { lineageSql, ownOrAboveSql, sharedSql, type OrganizationPath } from '../../platform/db/tenancy.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { displayNameOf, type Named } from '../users/user.js'
import type { Step } from './macro-step.js'

interface Target {
  name: string
  isArchived: boolean
}

/** The tables of what steps name. */
const PLACES = {
  Label: { table: 'label', columns: 't.name, t.archived_at is not null as is_archived', where: 'true' },
  Channel: { table: 'channel', columns: 't.name, false as is_archived', where: 'true' },
  Form: { table: 'form', columns: 't.name, false as is_archived', where: 'true' },
  User: {
    table: 'app_user',
    columns: 't.display_name, t.given_name, t.additional_name, t.family_name, false as is_archived',
    where: `t.status <> 'archived'`,
  },
} as const
type Kind = keyof typeof PLACES

interface Scope {
  /** The macro's organization. */
  path: OrganizationPath
  /** The steps that it had: what they name may be gone, so that the others can be changed. */
  stored: readonly Step[]
  /** Name of the field of a step; default: one of `steps`. */
  at?: (index: number) => string
}

/**
 * Checks that what steps name is of the macro's organization, or one above or below it, and that the caller may name it; in a run
 * that is checked again, for the conversation. Channels of `channels` too.
 * @returns the steps, with the names of what they name
 * @throws NotFound naming the field; Unprocessable for an archived label, and for an unknown category
 */
export async function checkSteps(
  ctx: Context,
  sql: Sql,
  steps: readonly Step[],
  { path, stored, at: fieldOf = (index) => `steps[${index}]` }: Scope,
): Promise<Step[]> {
  const finder = new Finder(ctx, sql, path)
  const known = namesIn(stored)
  const checked: Step[] = []
  for (const [index, step] of steps.entries()) {
    const at = fieldOf(index)
    const find = async (kind: Kind, id: string, field: string): Promise<string> =>
      known.get(id) ?? (await finder.require(kind, id, `${at}.${field}`)).name
    switch (step.kind) {
      case 'labels':
        for (const [place, id] of step.add.entries()) await requireUsable(finder, known, id, `${at}.add[${place}]`)
        for (const [place, id] of step.remove.entries()) await find('Label', id, `remove[${place}]`)
        checked.push(step)
        break
      case 'category':
        if (!known.has(`category ${step.category}`)) await finder.requireCategory(step.category, `${at}.category`)
        checked.push(step)
        break
      case 'form':
        checked.push({ ...step, name: await find('Form', step.form, 'form') })
        break
      case 'handOver': {
        const name =
          step.user === null ? await find('Channel', step.channel!, 'channel') : await find('User', step.user, 'user')
        checked.push({ ...step, name })
        break
      }
      default:
        checked.push(step)
    }
  }
  return checked
}

/** The same for the channels for whose conversations a macro is. */
export async function checkChannels(
  ctx: Context,
  sql: Sql,
  channels: readonly string[],
  { path, stored }: { path: OrganizationPath; stored: readonly string[] },
): Promise<void> {
  const finder = new Finder(ctx, sql, path)
  for (const [index, id] of channels.entries())
    if (!stored.includes(id)) await finder.require('Channel', id, `channels[${index}]`)
}

async function requireUsable(
  finder: Finder,
  known: ReadonlyMap<string, string>,
  id: string,
  field: string,
): Promise<void> {
  if (known.has(id)) return
  const { name, isArchived } = await finder.require('Label', id, field)
  if (!isArchived) return
  const details = { reason: 'LABEL_ARCHIVED', field, label: id } as const
  throw new Unprocessable(`${field}: the label ${quoteValue(name)} is archived: choose another one`, details)
}

/** The names of what stored steps name, by id. */
function namesIn(steps: readonly Step[]): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap((step): [string, string][] => {
      if (step.kind === 'labels') return [...step.add, ...step.remove].map((id) => [id, ''])
      if (step.kind === 'category') return [[`category ${step.category}`, '']]
      if (step.kind === 'form') return [[step.form, step.name]]
      return step.kind === 'handOver' ? [[(step.user ?? step.channel)!, step.name]] : []
    }),
  )
}

/** Reads what a caller may name for a macro. Few are asked for: a macro has 10 steps. */
class Finder {
  constructor(
    private readonly ctx: Context,
    private readonly sql: Sql,
    private readonly path: OrganizationPath,
  ) {}

  /** @throws NotFound */
  async require(kind: Kind, id: string, field: string): Promise<Target> {
    const { table, columns, where } = PLACES[kind]
    const values: unknown[] = [id]
    // Forms are seen as the organization sees them, whoever names them: agents ask with forms that they may not list.
    const conditions =
      kind === 'Form'
        ? [sharedSql('form')({ path: this.path }, 't', values)]
        : [ownOrAboveSql(this.ctx.tenant, 't', values), lineageSql(this.path, 't', values)]
    const [row] = await this.sql.query<Record<string, unknown>>(
      `select ${columns} from ${table} t where t.id = $1 and ${where} and ${conditions.join(' and ')}`,
      values,
    )
    if (!row) throw recordNotFound(kind, id, field)
    const found = camelRow<Target & Named>(row)
    return { name: kind === 'User' ? displayNameOf(found) : found.name, isArchived: found.isArchived }
  }

  /** @throws Unprocessable */
  async requireCategory(name: string, field: string): Promise<void> {
    const [row] = await this.sql.query<{ categories: { name: string }[] | null }>(
      'select categories from organization where id = $1',
      [this.path.at(-1)],
    )
    if (row?.categories?.some((category) => category.name === name)) return
    const details = { reason: 'UNKNOWN_CATEGORY', field } as const
    throw new Unprocessable(`${field}: the organization has no category ${quoteValue(name)}`, details)
  }
}
