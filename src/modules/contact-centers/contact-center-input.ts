import { Field, InputType, Int } from 'type-graphql'
import { parseInteger, refuseCleared } from '../../platform/input.js'
import { parseName } from '../organizations/organization-input.js'
import type { ContactCenterQuotas } from './contact-center.js'

@InputType({ description: 'Quotas of a contact center. Only the given keys change; `null` removes one.' })
export class ContactCenterQuotasInput {
  @Field(() => Int, { nullable: true, description: 'Users, bots among them, that are not archived; at least 1.' })
  users?: number | null

  @Field(() => Int, { nullable: true, description: 'Organizations of levels 2 and 3.' })
  organizations?: number | null

  @Field(() => Int, { nullable: true, description: 'Messages per minute of all its guests.' })
  guestMessagesPerMinute?: number | null

  @Field(() => Int, { nullable: true, description: 'Uploads of all its guests, in MiB per day.' })
  guestUploadMebibytesPerDay?: number | null
}

@InputType({ description: 'Changes of a contact center. Only the given keys change.' })
export class UpdateContactCenterInput {
  @Field(() => String, { nullable: true })
  name?: string

  @Field(() => ContactCenterQuotasInput, { nullable: true, description: 'Changes only the given quotas.' })
  quotas?: ContactCenterQuotasInput
}

@InputType({ description: 'A new contact center, with the owner who is invited to it.' })
export class CreateContactCenterInput {
  @Field(() => String)
  name!: string

  @Field(() => String, { description: "Email of its owner, which is no other user's." })
  ownerEmail!: string

  @Field(() => String, { nullable: true, description: 'Name of the owner, as user interfaces show it.' })
  ownerName?: string | null

  @Field(() => ContactCenterQuotasInput, { nullable: true, description: 'Default: no quotas of its own.' })
  quotas?: ContactCenterQuotasInput | null
}

export type Quota = keyof ContactCenterQuotas

interface QuotaRule {
  column: string
  min: number
  max: number
}

/** The column of each quota, and its bounds. */
export const QUOTAS: Readonly<Record<Quota, QuotaRule>> = {
  // The owner is one.
  users: { column: 'users_max', min: 1, max: 1_000_000 },
  organizations: { column: 'organizations_max', min: 0, max: 1_000_000 },
  guestMessagesPerMinute: { column: 'guest_messages_per_minute', min: 1, max: 100_000_000 },
  guestUploadMebibytesPerDay: { column: 'guest_upload_mebibytes_per_day', min: 1, max: 1_073_741_824 },
}

/** Parses the given quotas, by column. @throws BadUserInput */
export function readQuotas(input: ContactCenterQuotasInput): Record<string, number | null> {
  const read: Record<string, number | null> = {}
  for (const [quota, { column, min, max }] of Object.entries(QUOTAS) as [Quota, QuotaRule][]) {
    const value = input[quota]
    if (value !== undefined) read[column] = value === null ? null : parseInteger(value, `quotas.${quota}`, min, max)
  }
  return read
}

/** Parses a change. @throws BadUserInput */
export function readUpdate(patch: UpdateContactCenterInput): { name?: string; quotas: Record<string, number | null> } {
  refuseCleared(patch, 'name', 'quotas')
  const name = patch.name === undefined ? {} : { name: parseName(patch.name, 'name') }
  return { ...name, quotas: readQuotas(patch.quotas ?? {}) }
}
