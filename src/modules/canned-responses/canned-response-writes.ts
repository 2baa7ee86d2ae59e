import type { Context } from '../../platform/context.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseText } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { CannedResponse, type CreateCannedResponseInput, type UpdateCannedResponseInput } from './canned-response.js'

const TEXT_CHARS_MAX = 5_000
const SHORTCUT = /^[\p{L}\p{N}_-]{1,40}$/u
/** Maximum number per organization: screens hold all of them. */
const RESPONSES_MAX = 500

/**
 * Creates a canned response. @throws NotFound naming `organization`; Unprocessable if the shortcut is in use or the
 * limit is reached; BadUserInput
 */
export function createCannedResponse(
  ctx: Context,
  transact: Transact,
  input: CreateCannedResponseInput,
): Promise<CannedResponse> {
  const values = { shortcut: parseShortcut(input.shortcut), text: parseBody(input.text) }
  return withUniqueShortcut(values.shortcut, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      await checkNumber(tx, CannedResponse, {
        organization: path.at(-1)!,
        max: RESPONSES_MAX,
        noun: 'canned responses',
      })
      const response = await insertOwned(ctx, tx, CannedResponse, { path, ...values })
      emitCannedResponse(tx, response, 'created')
      return response
    }),
  )
}

/** Updates the given fields. @throws as {@link createCannedResponse}; NotFound */
export function updateCannedResponse(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateCannedResponseInput },
): Promise<CannedResponse> {
  const { shortcut, text } = patch
  return withUniqueShortcut(String(shortcut), () =>
    transact(ctx, async (tx) => {
      const response = await fetchRecord(ctx, CannedResponse, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      if (shortcut !== undefined) response.shortcut = parseShortcut(shortcut)
      if (text !== undefined) response.text = parseBody(text)
      markChanged(response, ctx.now())
      await tx.em.flush()
      emitCannedResponse(tx, response, 'updated')
      return response
    }),
  )
}

export function deleteCannedResponse(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const response = await fetchRecord(ctx, CannedResponse, id, { em: tx.em, lock: true })
    emitCannedResponse(tx, response, 'deleted')
    tx.em.remove(response)
    return true
  })
}

function parseShortcut(value: unknown): string {
  const shortcut = parseText(value, 'shortcut')
  if (SHORTCUT.test(shortcut)) return shortcut.toLowerCase()
  throw new BadUserInput(
    'shortcut',
    `shortcut must be 1 to 40 letters, digits, - and _, not ${quoteValue(shortcut.slice(0, 80))}`,
  )
}

function parseBody(value: unknown): string {
  const text = parseText(value, 'text', { max: TEXT_CHARS_MAX })
  if (text.trim() === '') throw new BadUserInput('text', 'text must not be blank')
  return text
}

async function withUniqueShortcut<T>(shortcut: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'canned_response_shortcut')) throw error
    throw new Unprocessable(`the shortcut ${quoteValue(shortcut)} is in use in this organization`, {
      reason: 'NAME_TAKEN',
      field: 'shortcut',
    })
  }
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'cannedResponse', Pick<CannedResponse, 'shortcut' | 'text'>> {}
}

function emitCannedResponse(tx: WriteTx, response: CannedResponse, what: RecordChange): void {
  const { id, organizationId, shortcut, text } = response
  const data = { id, organization: organizationId, shortcut, text }
  tx.emit(organizationStream(organizationId), `cannedResponse.${what}`, data)
}
