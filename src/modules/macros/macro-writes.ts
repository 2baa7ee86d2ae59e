import type { Context } from '../../platform/context.js'
import { pathOf, type OrganizationPath } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseList, parseText, refuseCleared } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { requireMayShare } from '../channels/require-may-share.js'
import { insertOwned, lockToCount, owningPath } from '../organizations/owned-record.js'
import { checkChannels, checkSteps } from './check-steps.js'
import { fetchMacro } from './macro-list.js'
import { Macro, type CreateMacroInput, type UpdateMacroInput } from './macro.js'
import { parseId, parseSteps } from './parse-steps.js'

const NAME_CHARS_MAX = 80
const SHORTCUT = /^[\p{L}\p{N}_-]{1,40}$/u
const CHANNELS_MAX = 50
/** Those in use: screens hold all of them. */
const IN_USE_MAX = { shared: 500, own: 100 }
/** With archived ones, which are kept. */
const IN_ALL = 10

/**
 * Creates a macro of the caller's own, or a shared one.
 * @throws Forbidden; NotFound, Unprocessable naming what a step names; Unprocessable if the name or the shortcut is in use, or
 *   at the limit; BadUserInput
 */
export function createMacro(ctx: Context, transact: Transact, input: CreateMacroInput): Promise<Macro> {
  const isShared = input.isShared ?? false
  if (!isShared && !isAbsent(input.organization) && input.organization.toLowerCase() !== ctx.caller.organization)
    throw new BadUserInput('organization', "organization: a macro of one's own is of one's own organization")
  const given = {
    name: parseName(input.name),
    shortcut: parseShortcut(input.shortcut),
    channels: parseChannels(input.channels),
    steps: parseSteps(input.steps),
  }
  return withUniqueNames(given, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, isShared ? input.organization : null)
      if (isShared) await requireMayShare(ctx, tx, path.at(-1)!, 'macro.share')
      const ownerId = isShared ? null : ctx.userCaller.user
      await checkNumber(tx, path.at(-1)!, ownerId)
      await checkChannels(ctx, tx, given.channels, { path, stored: [] })
      const steps = await checkSteps(ctx, tx, given.steps, { path, stored: [] })
      const macro = await insertOwned(ctx, tx, Macro, { path, ...given, steps, ownerId, archivedAt: null })
      emitMacro(tx, macro, 'created')
      return macro
    }),
  )
}

/** Changes the given fields. @throws ChangedMeanwhile; as {@link createMacro} */
export function updateMacro(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateMacroInput },
): Promise<Macro> {
  refuseCleared(patch, 'name', 'steps')
  const name = patch.name === undefined ? undefined : parseName(patch.name)
  const shortcut = patch.shortcut === undefined ? undefined : parseShortcut(patch.shortcut)
  const channels = patch.channels === undefined ? undefined : parseChannels(patch.channels)
  const steps = patch.steps === undefined ? undefined : parseSteps(patch.steps)
  return withUniqueNames({ name, shortcut }, () =>
    transact(ctx, async (tx) => {
      const macro = await fetchChangeable(ctx, tx, id, patch.ifVersion)
      const path: OrganizationPath = pathOf(macro)
      if (name !== undefined) macro.name = name
      if (shortcut !== undefined) macro.shortcut = shortcut
      if (channels) {
        await checkChannels(ctx, tx, channels, { path, stored: macro.channels })
        macro.channels = channels
      }
      if (steps) macro.steps = await checkSteps(ctx, tx, steps, { path, stored: macro.steps })
      markChanged(macro, ctx.now())
      await tx.em.flush()
      emitMacro(tx, macro, 'updated')
      return macro
    }),
  )
}

/**
 * Archives a macro, or uses it again: reports of the past name it. Repeating it changes nothing.
 * @throws NotFound; Forbidden; Unprocessable if its name is in use meanwhile, or at the limit
 */
export function archiveMacro(
  ctx: Context,
  transact: Transact,
  { id, isArchived }: { id: string; isArchived: boolean },
): Promise<Macro> {
  return withUniqueNames({ name: undefined, shortcut: undefined }, () =>
    transact(ctx, async (tx) => {
      const macro = await fetchChangeable(ctx, tx, id)
      if (isArchived === (macro.archivedAt !== null)) return macro
      if (!isArchived) await checkNumber(tx, macro.organizationId, macro.ownerId)
      macro.archivedAt = isArchived ? ctx.now() : null
      markChanged(macro, ctx.now())
      await tx.em.flush()
      emitMacro(tx, macro, 'updated')
      return macro
    }),
  )
}

async function fetchChangeable(ctx: Context, tx: WriteTx, id: string, ifVersion?: number | null): Promise<Macro> {
  const macro = await fetchMacro(ctx, id, { em: tx.em, lock: true, ifVersion })
  if (macro.ownerId === null) await requireMayShare(ctx, tx, macro.organizationId, 'macro.share')
  return macro
}

function parseName(value: unknown): string {
  const name = parseText(value, 'name').trim()
  if (name !== '' && name.length <= NAME_CHARS_MAX && !/[\p{Cc}]/u.test(name)) return name
  throw new BadUserInput(
    'name',
    `name must be one line of 1 to ${NAME_CHARS_MAX} characters, not ${quoteValue(name.slice(0, 100))}`,
  )
}

function parseShortcut(value: unknown): string | null {
  if (isAbsent(value)) return null
  const shortcut = parseText(value, 'shortcut')
  if (SHORTCUT.test(shortcut)) return shortcut.toLowerCase()
  throw new BadUserInput(
    'shortcut',
    `shortcut must be 1 to 40 letters, digits, - and _, not ${quoteValue(shortcut.slice(0, 80))}`,
  )
}

const parseChannels = (value: unknown): string[] =>
  isAbsent(value)
    ? []
    : [
        ...new Set(
          parseList(value, 'channels', CHANNELS_MAX).map((id, index) => parseId('Channel', id, `channels[${index}]`)),
        ),
      ]

/** Holds an organization, or a user, to the numbers of macros. */
async function checkNumber(tx: WriteTx, organization: string, owner: string | null): Promise<void> {
  await lockToCount(tx, organization)
  const [row] = await tx.query<{ used: number; all: number }>(
    `select count(*) filter (where archived_at is null)::int as used, count(*)::int as all
     from macro where organization_id = $1 and owner_id is not distinct from $2`,
    [organization, owner],
  )
  const max = IN_USE_MAX[owner === null ? 'shared' : 'own']
  const whose = owner === null ? `organization ${organization} has` : 'you have'
  if (row!.used >= max)
    throw new Unprocessable(`${whose} ${max} macros in use already: archive some`, { reason: 'TOO_MANY' })
  if (row!.all >= max * IN_ALL)
    throw new Unprocessable(`${whose} ${max * IN_ALL} macros with archived ones: change some of those`, {
      reason: 'TOO_MANY',
    })
}

async function withUniqueNames<T>(
  { name, shortcut }: { name: string | undefined; shortcut: string | null | undefined },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const [field, value] = isUniqueViolation(error, 'macro_name')
      ? (['name', name] as const)
      : isUniqueViolation(error, 'macro_shortcut')
        ? (['shortcut', shortcut] as const)
        : []
    if (!field) throw error
    const said = value == null ? `the ${field} of this macro` : `the ${field} ${quoteValue(value)}`
    throw new Unprocessable(`${said} is in use by another macro`, { reason: 'NAME_TAKEN', field })
  }
}

type MacroData = Pick<Macro, 'name' | 'shortcut'> & { archivedAt: string | null }

declare module '../../platform/events/event.js' {
  interface EventTypes extends Omit<ResourceEvents<'macro', MacroData>, 'macro.deleted'> {}
}

/** Tells of shared ones alone: what an agent keeps for herself is nobody else's. */
function emitMacro(tx: WriteTx, macro: Macro, what: Exclude<RecordChange, 'deleted'>): void {
  const { id, organizationId, ownerId, name, shortcut, archivedAt } = macro
  if (ownerId !== null) return
  const data = { id, organization: organizationId, name, shortcut, archivedAt: archivedAt?.toISOString() ?? null }
  tx.emit(organizationStream(organizationId), `macro.${what}`, data)
}
