import { FreshValue } from '../db/fresh-value.js'
import { reading, type ReadSql } from '../db/sql.js'

/** Quotas of one contact center for all its guests together; null: that of the settings. */
export interface GuestQuotas {
  messagesPerMinute: number | null
  uploadMebibytesPerDay: number | null
}

/** Keeps the operator's decisions on contact centers, as of a second ago at most. Only those that differ from the others are read. */
export class CenterQuotas {
  readonly #guests: FreshValue<ReadonlyMap<string, GuestQuotas>>
  readonly #archived: FreshValue<ReadonlySet<string>>

  constructor(sql: ReadSql) {
    this.#guests = new FreshValue(new Map(), sql, readGuestQuotas)
    this.#archived = new FreshValue(new Set(), sql, readArchived)
  }

  /** Returns the quotas for guests of a contact center that has any. */
  async ofGuests(center: string): Promise<GuestQuotas | undefined> {
    return (await this.#guests.get()).get(center)
  }

  archived(): Promise<ReadonlySet<string>> {
    return this.#archived.get()
  }
}

async function readGuestQuotas(sql: ReadSql): Promise<ReadonlyMap<string, GuestQuotas>> {
  const rows = await sql.query<GuestQuotas & { center: string }>(
    reading(`select org1 as center, guest_messages_per_minute as "messagesPerMinute",
       guest_upload_mebibytes_per_day as "uploadMebibytesPerDay"
     from contact_center
     where guest_messages_per_minute is not null or guest_upload_mebibytes_per_day is not null`),
    [],
    'guest-quotas',
  )
  return new Map(rows.map(({ center, ...quotas }) => [center, quotas]))
}

async function readArchived(sql: ReadSql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(
    reading('select org1 as id from contact_center where archived_at is not null'),
    [],
    'archived-centers',
  )
  return new Set(rows.map(({ id }) => id))
}
