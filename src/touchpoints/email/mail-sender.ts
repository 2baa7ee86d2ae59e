import { Field, ObjectType, registerEnumType } from 'type-graphql'
import type { LoaderDefinition } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { DateTime } from '../../lists/scalars.js'

export enum MailSenderProof {
  MAIL = 'mail',
  DNS = 'dns',
  UPGRADE = 'upgrade',
}
registerEnumType(MailSenderProof, {
  name: 'MailSenderProof',
  description: 'What a sender address was verified by.',
  valuesConfig: {
    MAIL: { description: 'A code that was mailed to it.' },
    DNS: { description: 'A TXT record of its domain.' },
    UPGRADE: { description: 'It was in use before senders were verified.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'Whether mail may be sent from the address of an email service.' })
export class MailSender {
  @Field(() => String, { description: '`params.address`.' })
  address!: string

  @Field(() => Boolean, {
    description:
      'Whether mail goes out only once the address is verified. Not for a service with a mail server of its own ' +
      '(`params.smtpUrl`), nor where the operator allows every sender.',
  })
  isRequired!: boolean

  @Field(() => Boolean)
  isVerified!: boolean

  @Field(() => MailSenderProof, { nullable: true })
  verifiedBy!: MailSenderProof | null

  @Field(() => DateTime, { nullable: true })
  verifiedAt!: Date | null

  @Field(() => String, { description: 'Name of the TXT record that proves the domain.' })
  dnsName!: string

  @Field(() => String, { description: 'What the record says. It is the same for all services of the organization.' })
  dnsValue!: string
}

export interface VerifiedSender {
  address: string
  verifiedBy: MailSenderProof
  verifiedAt: Date
}

/** By service: the address that was verified last, which may not be the present one. */
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

/** In the transaction that locks the service. */
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

/** An address that the service gives up is proved anew when it comes back: it may be somebody else's by then. */
export async function forgetOtherSenders(sql: Sql, service: string, address: string | null): Promise<void> {
  await sql.query('delete from mail_sender where service_id = $1 and address is distinct from $2', [service, address])
}
