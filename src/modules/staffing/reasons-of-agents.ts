import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { isId } from '../../platform/db/clock.js'
import type { LoaderDefinition } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { Field, ID, ObjectType } from 'type-graphql'
import { AvailabilityEnum, type Availability } from './availability.js'

@ObjectType({ simpleResolvers: true, description: 'A reason code, as shown to those who give it or see it given.' })
export class GivenReason {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => [AvailabilityEnum], { description: 'States with which it can be given.' })
  availabilities!: Availability[]
}

/** Codes of a user's organization. */
const OF_USER = `select u.id as "user", r.id, r.name, r.availabilities from app_user u
  join reason_code r on r.organization_id = u.organization_id`

/**
 * Returns the id of a code that a user's state may have.
 * @throws NotFound, BadUserInput naming `reasonCode`
 */
export async function codeFor(
  sql: Sql,
  { user, code, availability }: { user: string; code: string; availability: Availability },
): Promise<string> {
  const rows = isId(code)
    ? await sql.query<GivenReason>(`${OF_USER} where u.id = $1 and r.id = $2 for share of r`, [user, code])
    : []
  const [found] = rows
  if (!found) throw recordNotFound('ReasonCode', code, 'reasonCode')
  if (!found.availabilities.includes(availability)) {
    const known = found.availabilities.join(', ')
    throw new BadUserInput(
      'reasonCode',
      `reasonCode ${quoteValue(found.name)} is given with ${known}, not ${availability}`,
    )
  }
  return found.id
}

/** Codes that may be given with states of users, by name; for users whose state the caller sees. */
export const codesOfUsersLoader: LoaderDefinition<GivenReason[]> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<GivenReason & { user: string }>(
      `${OF_USER} where u.id = any($1::uuid[]) order by lower(r.name), r.id`,
      [users.filter(isId)],
      'reasons-of-users',
    )
    const codes = new Map<string, GivenReason[]>(users.map((id) => [id, []]))
    for (const { user, ...code } of rows) codes.get(user)?.push(code)
    return codes
  },
}

/** Codes by id, of states that the caller sees: as its skills, of a colleague who may be of an organization above. */
export const givenReasonLoader: LoaderDefinition<GivenReason> = {
  async load(ctx, ids) {
    const rows = await ctx.reads.query<GivenReason>(
      'select id, name, availabilities from reason_code where id = any($1::uuid[]) and org1 = $2',
      [ids.filter(isId), ctx.caller.path[0]],
      'given-reasons',
    )
    return new Map(rows.map((row) => [row.id, row]))
  },
}
