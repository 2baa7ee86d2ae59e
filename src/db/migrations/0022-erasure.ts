import { Migration } from '@mikro-orm/migrations'

/**
 * Support for erasing a contact: a pseudonym of an address that reveals nothing but can be compared with a given
 * address, and indexes for all rows that refer to a conversation.
 */
export class Erasure extends Migration {
  override up(): void {
    this.addSql(`insert into server_secret (name, value)
      values ('erasure', gen_random_uuid()::text || gen_random_uuid()::text) on conflict do nothing`)
    // Hashed twice with the secret, as HMAC does.
    this.addSql(`
      create function erased_name(known text) returns text language sql stable parallel safe return
      (select 'erased:' || encode(sha256(convert_to(value, 'utf8') ||
        sha256(convert_to(value, 'utf8') || convert_to(known, 'utf8'))), 'hex') from server_secret
        where name = 'erasure')`)
    this.addSql(`create index event_entry on event ((data #>> '{entry,conversation}')) where data ? 'entry'`)
    this.addSql(`create index event_record on event ((data ->> 'id'))
      where type like 'contact.%' or type like 'attachment.%'`)
    this.addSql('create index webhook_event_lane on webhook_event (lane)')
    this.addSql('create index inbound_message_contact on inbound_message (contact_id) where contact_id is not null')
    this.addSql(`create index message_file on message ((meta ->> 'fileId')) where meta ? 'fileId'`)
  }
}
