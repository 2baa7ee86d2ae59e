import type { Logger } from 'pino'
import type { Sql } from '../../platform/db/database.js'
import { RecentKeys } from '../../platform/recent-keys.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { TouchpointAdapter } from './adapter.js'
import { readOpenedService } from './touchpoint-service.js'

export interface ShowTypingOptions {
  sql: Sql
  sealer: Sealer
  log: Logger
  adapters: readonly TouchpointAdapter[]
}

/** Providers show it for about so long; clients say it every few seconds. */
const SHOWN_MS = 20_000
const CALL_MS_MAX = 3_000
/** More at once are not shown: messages come first. */
const AT_ONCE_MAX = 20

/** Returns what shows the consumer, where the provider can, that somebody types. Best effort. */
export function showTyping({ adapters, log, sealer, sql }: ShowTypingOptions): (conversation: string) => void {
  const shown = new RecentKeys(SHOWN_MS)
  const able = new Map(adapters.filter(({ typing }) => typing).map((adapter) => [adapter.type, adapter]))
  let calls = 0

  const show = async (conversation: string): Promise<void> => {
    const [last] = await sql.query<LastSaid>(LAST, [conversation, [...able.keys()]], 'last-said-there')
    const service = last && (await readOpenedService({ sql, sealer }, last.type, last.service))
    const signal = AbortSignal.timeout(CALL_MS_MAX)
    if (service) await able.get(last.type)!.typing!({ service, message: last.message, signal })
  }
  return (conversation) => {
    const now = performance.now()
    if (calls >= AT_ONCE_MAX || now - (shown.numberOf(conversation) ?? -Infinity) < SHOWN_MS) return
    shown.note(conversation, now)
    calls += 1
    void show(conversation)
      .catch((error: unknown) =>
        log.debug({ err: error, conversation }, 'failed to show the consumer that an agent types'),
      )
      .finally(() => (calls -= 1))
  }
}

interface LastSaid {
  service: string
  type: string
  /** The provider's id of the message. */
  message: string
}

/** Finds it where the conversation is the one that collects what the contact writes there. */
const LAST = `
select s.id as service, s.type, i.provider_id as message
from touchpoint_thread t join service s on s.id = t.service_id and s.type = any($2::text[])
cross join lateral (select i.provider_id from inbound_message i join message m on m.id = i.message_id and m.role = 'contact'
  where i.contact_id = t.contact_id and i.service_id = s.id and i.ignored is null order by i.received_at desc limit 1) i
where t.conversation_id = $1 limit 1`
