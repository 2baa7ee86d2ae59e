import type { Context } from '../../platform/context.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseText, refuseCleared } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { Label, type CreateLabelInput, type UpdateLabelInput } from './label.js'

const NAME_CHARS_MAX = 40
/** Archived ones count: screens know them all. */
const LABELS_PER_ORGANIZATION_MAX = 500
/** The golden angle: each next hue is far from those before. */
const HUE_STEP = 137.508

/** @throws NotFound naming `organization`; Unprocessable if the name is in use, or at the limit; BadUserInput */
export function createLabel(ctx: Context, transact: Transact, input: CreateLabelInput): Promise<Label> {
  const name = parseLabelName(input.name)
  const hue = input.hue == null ? null : parseHue(input.hue)
  return withUniqueName(name, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      const organization = path.at(-1)!
      await checkNumber(tx, Label, { organization, max: LABELS_PER_ORGANIZATION_MAX, noun: 'labels' })
      const label = await insertOwned(ctx, tx, Label, {
        path,
        name,
        hue: hue ?? Math.round((await tx.em.count(Label, { organizationId: organization })) * HUE_STEP) % 360,
        archivedAt: null,
      })
      emitLabel(tx, label, 'created')
      return label
    }),
  )
}

/** @throws as {@link createLabel}; NotFound */
export function updateLabel(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateLabelInput },
): Promise<Label> {
  refuseCleared(patch, 'name', 'hue')
  const name = patch.name === undefined ? undefined : parseLabelName(patch.name)
  const hue = patch.hue == null ? undefined : parseHue(patch.hue)
  return withUniqueName(String(name), () =>
    transact(ctx, async (tx) => {
      const label = await fetchRecord(ctx, Label, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      if (name !== undefined) label.name = name
      if (hue !== undefined) label.hue = hue
      markChanged(label, ctx.now())
      await tx.em.flush()
      emitLabel(tx, label, 'updated')
      return label
    }),
  )
}

/**
 * Archives a label, or uses it again: what it is on keeps it, so that lists and reports of the past stay as they were.
 * Repeating it changes nothing. @throws NotFound; Unprocessable if its name is in use meanwhile
 */
export function archiveLabel(
  ctx: Context,
  transact: Transact,
  { id, isArchived }: { id: string; isArchived: boolean },
): Promise<Label> {
  return withUniqueName('of this label', () =>
    transact(ctx, async (tx) => {
      const label = await fetchRecord(ctx, Label, id, { em: tx.em, lock: true })
      if (isArchived === (label.archivedAt !== null)) return label
      label.archivedAt = isArchived ? ctx.now() : null
      markChanged(label, ctx.now())
      await tx.em.flush()
      emitLabel(tx, label, 'updated')
      return label
    }),
  )
}

function parseLabelName(value: unknown): string {
  const name = parseText(value, 'name').trim()
  if (name !== '' && name.length <= NAME_CHARS_MAX && !/[\p{Cc}]/u.test(name)) return name
  throw new BadUserInput(
    'name',
    `name must be one line of 1 to ${NAME_CHARS_MAX} characters, not ${quoteValue(name.slice(0, 80))}`,
  )
}

function parseHue(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 360) return value
  throw new BadUserInput('hue', `hue ${value} must be from 0 to 359`)
}

async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'label_name')) throw error
    throw new Unprocessable(`the organization has a label named ${quoteValue(name)} already`, {
      reason: 'NAME_TAKEN',
      field: 'name',
    })
  }
}

type LabelData = Pick<Label, 'name' | 'hue'> & { archivedAt: string | null }

declare module '../../platform/events/event.js' {
  interface EventTypes extends Omit<ResourceEvents<'label', LabelData>, 'label.deleted'> {}
}

function emitLabel(
  tx: WriteTx,
  { id, organizationId, name, hue, archivedAt }: Label,
  what: Exclude<RecordChange, 'deleted'>,
): void {
  const data = { id, organization: organizationId, name, hue, archivedAt: archivedAt?.toISOString() ?? null }
  tx.emit(organizationStream(organizationId), `label.${what}`, data)
}
