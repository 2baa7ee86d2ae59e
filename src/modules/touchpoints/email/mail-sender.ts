import { Field, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/database.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { DateTime } from '../../../platform/lists/scalars.js'

export const MailSenderProof = graphqlEnum('MailSenderProof', 'Method by which a sender address was verified.', {
  MAIL: ['mail', 'A code that was mailed to the address.'],
  DNS: ['dns', 'A TXT record of its domain.'],
})
export type MailSenderProof = (typeof MailSenderProof)[keyof typeof MailSenderProof]

@ObjectType({ simpleResolvers: true, description: 'Verification of the address of an email service as a sender.' })
export class MailSender {
  @Field(() => String, { description: '`params.address`.' })
  address!: string

  @Field(() => Boolean, {
    description:
      'Whether mail is only sent once the address is verified. False for a service with a mail server of its own ' +
      '(`params.smtpUrl`), and if the operator allows every sender.',
  })
  isRequired!: boolean

  @Field(() => Boolean, { description: 'Whether the address has been verified.' })
  isVerified!: boolean

  @Field(() => MailSenderProof, {
    nullable: true,
    description: 'Method of the verification; null if the address is not verified.',
  })
  verifiedBy!: MailSenderProof | null

  @Field(() => DateTime, { nullable: true, description: 'Time of the verification.' })
  verifiedAt!: Date | null

  @Field(() => String, { description: 'Name of the TXT record that proves the domain.' })
  dnsName!: string

  @Field(() => String, { description: 'Value of the record, the same for all services of the organization.' })
  dnsValue!: string
}

export interface VerifiedSender {
  address: string
  verifiedBy: MailSenderProof
  verifiedAt: Date
}

/** Loads by service: the address that was last verified, which may differ from the current one. */
export const verifiedSenderLoader: LoaderDefinition<VerifiedSender> = {
  async load(ctx, services) {
    const rows = await ctx.reads.query<VerifiedSender & { service: string }>(
      `select service_id as service, address, verified_by as "verifiedBy", verified_at as "verifiedAt"
       from mail_sender where service_id = any($1::uuid[])`,
      [services],
    )
    return new Map(rows.map(({ service, ...sender }) => [service, sender]))
  },
}

export async function isVerifiedSender(
  sql: Sql,
  { service, address }: { service: string; address: string },
): Promise<boolean> {
  const rows = await sql.query('select 1 from mail_sender where service_id = $1 and address = $2', [service, address])
  return rows.length > 0
}

/** Must be called in the transaction that locks the service. */
export async function storeVerifiedSender(
  sql: Sql,
  service: string,
  { address, verifiedBy, verifiedAt }: VerifiedSender,
): Promise<void> {
  await sql.query(
    `insert into mail_sender (service_id, address, verified_by, verified_at) values ($1, $2, $3, $4)
     on conflict (service_id) do update
     set address = excluded.address, verified_by = excluded.verified_by, verified_at = excluded.verified_at`,
    [service, address, verifiedBy, verifiedAt],
  )
}

/**
 * Deletes verifications of other addresses: an address must be verified again when it returns, since it may belong to
 * somebody else by then.
 */
export async function forgetOtherSenders(sql: Sql, service: string, address: string | null): Promise<void> {
  await sql.query('delete from mail_sender where service_id = $1 and address is distinct from $2', [service, address])
}
