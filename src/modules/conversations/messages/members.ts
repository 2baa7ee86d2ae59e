import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { pathOf, ownOrAboveSql, type OrganizationPath, type TenantScope } from '../../../platform/db/tenancy.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { hasApiTokenSql } from '../../users/api-token-uses.js'
import { isPausedSql } from '../../users/pause-bots.js'
import { displayNameOf, type Named } from '../../users/user.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { Member } from '../state/new-participant.js'

/** The user or guest on whose behalf a message is processed. Plain JSON: stored with a delayed message. */
export interface Sender {
  /** Null for a consumer. */
  member: Member | null
  isBot: boolean
  path: OrganizationPath
  /**
   * Id of the API token with which the caller authenticated: its delayed messages are dropped when the token is
   * replaced.
   */
  apiToken?: string
  /** True if a field message changes the contact; otherwise it only records what the consumer said, unverified. */
  mayFillContact?: boolean
  /** True if its messages may name forms that the conversation does not have. */
  mayNameForms?: boolean
  /** Id of a guest's contact. */
  contact?: string
}

export function senderOf(ctx: Context): Sender {
  const { caller } = ctx
  if (caller.kind === 'guest') return { member: null, isBot: false, path: caller.path, contact: caller.contact }
  const { user: userId, displayName: name, avatar, role, isBot, path, apiToken } = ctx.userCaller
  return {
    member: { userId, name, avatar, role },
    isBot,
    path,
    mayFillContact: isAllowed(caller, 'contact.fill'),
    mayNameForms: isAllowed(caller, 'form.ask'),
    ...(apiToken && { apiToken }),
  }
}

/**
 * Tells whether the sender of a delayed message may still send it: the user is active, in the same organization with
 * the same role, and the API token is still valid.
 */
export async function maySendStill(sql: ReadSql, { member, path, apiToken }: Sender, now: Date): Promise<boolean> {
  if (!member) return true
  const rows = await sql.query(
    reading(`select 1 from app_user u where u.id = $1 and u.organization_id = $2 and u.role = $3
       and (u.status = 'active' or $4::uuid is not null and u.status <> 'archived')
       and ($4::uuid is null or ${hasApiTokenSql('u', '$4', '$5::timestamptz')}) and not ${isPausedSql('u')}`),
    [member.userId, path.at(-1), member.role, apiToken ?? null, now],
  )
  return rows.length > 0
}

/**
 * Reads users who may take part in a conversation: of its organization or one above it, not archived, and visible to
 * the caller (in or below the caller's organization, or of one above it).
 * @throws NotFound naming the field and the id
 */
export async function readMembers(
  sql: ReadSql,
  scope: TenantScope,
  conversation: ConversationState,
  ids: readonly string[],
  field: string,
): Promise<Member[]> {
  const values: unknown[] = [ids.filter(isId), pathOf(conversation)]
  const visible = ownOrAboveSql(scope, 't', values)
  const rows = await sql.query<Record<string, unknown>>(
    reading(`select t.id, t.display_name, t.given_name, t.additional_name, t.family_name, t.avatar, t.role from app_user t
     where t.id = any($1::uuid[]) and t.organization_id = any($2::uuid[]) and t.status <> 'archived'
       and ${visible}`),
    values,
  )
  const members = new Map(
    rows.map((row) => {
      const user = camelRow<Named & { id: string; avatar: string | null; role: string }>(row)
      return [user.id, { userId: user.id, name: displayNameOf(user), avatar: user.avatar, role: user.role }]
    }),
  )
  return ids.map((id, index) => {
    const member = isId(id) ? members.get(id.toLowerCase()) : undefined
    if (member) return member
    const named = field.replace('[]', `[${index}]`)
    throw recordNotFound('User', id, named)
  })
}
