import { Migration } from '@mikro-orm/migrations'

/** Sender addresses that were proved. Those in use before anything was asked for stay as they are. */
export class MailSenders extends Migration {
  override up(): void {
    this.addSql(`create table mail_sender (
      service_id uuid primary key references service (id) on delete cascade,
      address text not null,
      verified_by text not null check (verified_by in ('mail', 'dns', 'upgrade')),
      verified_at timestamptz not null
    )`)
    this.addSql(`insert into mail_sender (service_id, address, verified_by, verified_at)
      select id, lower(params ->> 'address'), 'upgrade', now() from service
      where type = 'email' and params ->> 'address' is not null`)
  }
}
