import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import type { JsonObject } from '../../platform/json.js'
import { everyTenant } from './every-tenant.js'

/**
 * Adds a refused sign-in to the audit log, one a user and minute: guesses must not fill it. Nobody waits for it, since the time of an
 * answer would tell which emails are users'.
 */
export function noteRefusal(ctx: Context, user: string, details: JsonObject = {}): void {
  const { database, log } = ctx
  const noted = database.sqlTransaction(async (sql) => {
    const [turn] = await sql.query<{ isOurs: boolean }>(TURN, [user])
    if (!turn!.isOurs) return
    const [found] = await sql.query<{ organization: string }>(REFUSABLE, [user, ctx.now()])
    if (!found) return
    const object = { type: 'user', id: user }
    await addAuditEntries(sql, everyTenant(ctx), [{ action: 'signInRefused', object, ...found, user, details }])
  })
  noted.catch((error: unknown) => log.warn({ err: error, user }, 'a refused sign-in is missing in the audit log'))
}

/**
 * The lock keeps refusals of one moment from all being noted: one who does not get it leaves it to who has it. It is not
 * the user's row, which others hold too, and nothing would be noted then.
 */
const TURN = `select pg_try_advisory_xact_lock(hashtextextended('signInRefused ' || $1::text, 0)) as "isOurs"`
const REFUSABLE = `
select organization_id as organization from app_user where id = $1 and not exists (
  select from audit_entry a where a.object ->> 'id' = $1::text and a.action = 'signInRefused'
    and a.at > $2::timestamptz - interval '1 minute')`

/** Adds the use of a copied passkey to the audit log, each: whoever has a copy makes no guesses. */
export async function noteCopiedPasskey(ctx: Context, user: string): Promise<void> {
  await ctx.database.sqlTransaction(async (sql) => {
    const [found] = await sql.query<{ organization: string }>(
      'select organization_id as organization from app_user where id = $1',
      [user],
    )
    if (!found) return
    const object = { type: 'user', id: user }
    const details = { passkey: 'copied' }
    await addAuditEntries(sql, everyTenant(ctx), [{ action: 'signInRefused', object, ...found, user, details }])
  })
}
