import { Migration } from '@mikro-orm/migrations'

/**
 * Closes the gate, begins to listen and opens it again in one statement: see webhooks/webhook-listeners.ts. A node that is
 * stopped between statements of its own would keep the gate closed to the writers of all nodes.
 */
export class ClosedGate extends Migration {
  override up(): void {
    this.addSql(`create function begin_listening(service uuid) returns void language plpgsql
      set lock_timeout = '100ms' as $$
      begin
        -- Before anything else: who holds another lock and waits for this one could be waited for.
        lock table event_gate in exclusive mode;
        insert into event_listener (listener_id, organization_id)
          select service_id, organization_id from webhook where service_id = service on conflict do nothing;
      end $$`)
  }
}
