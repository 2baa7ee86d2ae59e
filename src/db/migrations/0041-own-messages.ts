import { Migration } from '@mikro-orm/migrations'

/**
 * The bot of which a webhook does not hear the messages: `params.bot`, unless `params.ownMessages` asks for them. And the
 * last delivery of which a part of the receiver's answer was ignored or refused.
 */
export class OwnMessages extends Migration {
  override up(): void {
    this.addSql(
      'alter table webhook add column muted_user uuid, add column ignored_at timestamptz, add column ignored_delivery uuid',
    )
    this.addSql(`update webhook w set muted_user = (s.params ->> 'bot')::uuid from service s
      where s.id = w.service_id and s.params ->> 'bot' is not null`)
  }
}
