import { Migration } from '@mikro-orm/migrations'

/** Finds the service to which an address belongs, for inbound mail. */
export class EmailAddresses extends Migration {
  override up(): void {
    this.addSql(`create index service_email_address on service (lower(params ->> 'address')) where type = 'email'`)
  }
}
