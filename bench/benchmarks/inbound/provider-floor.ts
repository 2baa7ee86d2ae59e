import { systemClock } from '../../../src/platform/db/clock.js'
import type { Floor } from '../../harness/load-process.js'
import { floor as createFloor } from './create-floor.js'
import { inTransaction, type InboundFloorOptions } from './inbound-rows.js'

export interface ProviderFloorOptions extends InboundFloorOptions {
  service: string
  /** Payload of a job, as the product stores an event. */
  payload: object
}

/**
 * Writes what an event of a provider writes, by bare `pg`: the job that keeps it, which is stored before the provider is answered,
 * then the rows of a routed conversation, then what is known of the message and its sender, with the end of the job.
 */
export const floor: Floor<ProviderFloorOptions> = async (client, options, turn) => {
  const { service, payload } = options
  const [job, contact, at] = [systemClock.newId(), systemClock.newId(), new Date()]
  await client.query({
    name: 'floor-job',
    text: `insert into job (id, kind, key, share, run_at, payload, created_at) values ($1, 'floor.event', $2, $3, 'infinity', $4, $5)`,
    values: [job, `floor:${job}`, service, JSON.stringify(payload), at],
  })
  await createFloor(client, options, turn)
  await inTransaction(client, async () => {
    await client.query({
      name: 'floor-inbound',
      text: `with handle as (
          insert into contact_handle (service_id, address, contact_id, created_at, last_inbound_at, open_until)
          select $1, $2, id, $3, $3, $3 from contact order by id desc limit 1)
        insert into inbound_message (service_id, provider_id, received_at) values ($1, $2, $3)`,
      values: [service, contact, at],
    })
    await client.query({ name: 'floor-done', text: 'delete from job where id = $1', values: [job] })
  })
}
