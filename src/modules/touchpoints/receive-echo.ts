import { RetryLater } from '../../platform/jobs/job.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { MessageRow } from '../messages/message-row.js'
import type { TouchpointService } from './adapter.js'
import type { DeliveryLog } from './delivery-log.js'
import { DeliveryParts } from './delivery-parts.js'
import type { HubEvent } from './hub-events.js'
import type { HubPart } from './hub-parts.js'
import { isKnown } from './inbound-content.js'
import { disclosed } from './disclosed.js'
import { receiveHubEvent, type ReceiveHubOptions } from './receive-hub-event.js'

type Echo = Extract<HubEvent, { kind: 'echo' }>

/** The parts in which a message is sent; the addresses of its files do not matter. */
export type OutgoingParts = (message: MessageRow, file: FileOf | null) => HubPart[]

export interface ReceiveEchoOptions extends ReceiveHubOptions {
  deliveries: DeliveryLog
  partsOf: OutgoingParts
}

const WAIT_MS = 1_000
const SENT_HERE = 'this server has sent it'

/**
 * Takes what the platform tells of a message of the account: one that was written elsewhere becomes an agent's message.
 * Those that this server sends are known by the ids that the platform gave them ({@link rememberSent}). Of one whose outcome
 * is not known the echo is the proof that the platform took it.
 * @throws RetryLater while one is being sent that may be it
 */
export async function receiveEcho(
  options: ReceiveEchoOptions,
  service: TouchpointService,
  event: Echo,
  isLastTry: boolean,
): Promise<void> {
  const { deliveries, inbox, sql } = options
  if (await isKnown(sql, service.id, event.mid)) return
  const doubtful = await doubtfulOf(options, service, event)
  const proved = doubtful.find(({ next }) => next && isEchoOf(next, event))
  if (proved) {
    const { id, index, count } = proved
    await new DeliveryParts(sql, id).note(index, event.mid)
    if (index === count - 1) await deliveries.report({ delivery: id }, { status: 'sent', providerId: event.mid })
    await inbox.ignore(service, event.mid, SENT_HERE)
    return
  }
  if (!isLastTry && doubtful.some(({ status }) => status === 'sending'))
    throw new RetryLater('a message is being sent that this may be', WAIT_MS)
  await receiveHubEvent(options, service, event, isLastTry)
}

/** Remembers a message that the platform took, also after it is deleted here: its echo is not a message of somebody else. */
export async function rememberSent(
  { inbox }: Pick<ReceiveHubOptions, 'inbox'>,
  service: Pick<TouchpointService, 'id'>,
  mid: string,
): Promise<void> {
  await inbox.ignore(service, mid, SENT_HERE)
}

interface Doubtful {
  id: string
  status: string
  /** The part that the platform may have taken; absent where it has taken all. */
  next: HubPart | undefined
  index: number
  count: number
}

/** Finds the deliveries to the person of which it is not known, or not yet, whether the platform took them. */
async function doubtfulOf(
  { sql, clock, partsOf }: Pick<ReceiveEchoOptions, 'sql' | 'clock' | 'partsOf'>,
  service: TouchpointService,
  { at, sender }: Echo,
): Promise<Doubtful[]> {
  const rows = await sql.query<{ id: string; status: string; taken: number; message: object; file: FileOf | null }>(
    DOUBTFUL,
    [service.id, sender, at > 0 ? new Date(at) : clock.now()],
    'doubtful-deliveries',
  )
  return rows.map(({ id, status, taken: index, message, file }) => {
    const said = disclosed(camelRow<MessageRow>(message as Record<string, unknown>))
    const parts = partsOf(said, file)
    return { id, status, next: parts[index], index, count: parts.length }
  })
}

interface FileOf {
  fileType: string
  size: number
}

/** The platform gives pictures and templates other addresses and forms: there the kind has to do. */
function isEchoOf({ text, attachment }: HubPart, echo: Echo): boolean {
  if (text !== undefined) return echo.attachments.length === 0 && echo.text?.trim() === text.trim()
  const [shown] = echo.attachments
  return shown !== undefined && shown.type === attachment?.type
}

/** An echo has the time of its message; one of a message that was held back for long, or written a day later, is another's. */
const DOUBTFUL = `
select d.id, d.status, to_jsonb(m) as message,
  (select count(*)::int from delivery_part p where p.delivery_id = d.id) as taken,
  (select jsonb_build_object('fileType', a.file_type, 'size', a.size) from attachment a
    where m.meta ? 'fileId' and a.id::text = m.meta ->> 'fileId') as file
from delivery d join message m on m.id = d.message_id
where d.service_id = $1 and d.recipient = $2 and d.touchpoint <> 'web' and d.status in ('sending', 'maybeSent')
  and d.created_at > $3::timestamptz - interval '26 hours'
  and d.updated_at between $3::timestamptz - interval '10 minutes' and $3::timestamptz + interval '10 minutes'
order by d.id limit 20`
