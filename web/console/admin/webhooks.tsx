import { useState } from 'preact/hooks'
import {
  AdminDeliveriesDocument,
  AdminServicesDocument,
  RedeliverDocument,
  ReplayWebhookDocument,
  VerifyWebhookDocument,
  type AdminServicesQuery,
} from '../../generated/admin.js'
import { shortTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { Empty, More, Section, Table } from './section.js'
import { nameOf, useServiceKinds } from './service-kinds.js'
import { usePages } from './use-pages.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

type Service = AdminServicesQuery['services']['edges'][number]['node']

/** Shows the deliveries of webhooks and the responses, and what consumers take. */
export function Webhooks() {
  const answer = usePages(AdminServicesDocument, ({ services }) => services, 'service')
  const hooks = answer.rows.filter(({ webhook, events }) => webhook || events)
  return (
    <Section title={words.sections.webhooks} lead={words.webhooks.help} answer={answer}>
      {answer.data && hooks.length === 0 && (
        <Empty icon="hook" says={words.webhooks.none}>
          <a class="btn" href="/console/admin/services">
            {words.webhooks.toServices}
          </a>
        </Empty>
      )}
      {hooks.map((hook) => (
        <Hook key={hook.id} hook={hook} refresh={answer.refresh} />
      ))}
      <More more={answer.more} />
    </Section>
  )
}

function Hook({ hook, refresh }: { hook: Service; refresh(): void }) {
  const store = useStore()
  const own = words.webhooks
  const deliveries = useQuery(AdminDeliveriesDocument, { service: hook.id, after: null })
  const [fault, setFault] = useState<string | null>(null)
  const [isReplayed, setReplayed] = useState(false)
  const run = (work: Promise<unknown>): void => {
    setFault(null)
    work.then(
      () => {
        refresh()
        deliveries.refresh()
      },
      (error: Error) => setFault(error.message),
    )
  }
  const kinds = useServiceKinds()
  const replay = async (): Promise<void> => {
    const since = new Date(store.session.now() - 86_400_000).toISOString()
    await store.request(ReplayWebhookDocument, { service: hook.id, since })
    setReplayed(true)
  }
  const rows = deliveries.data?.webhookDeliveries.edges.map(({ node }) => node) ?? []
  const state = hook.webhook
  const { pending = 0 } = state ?? hook.events ?? {}
  return (
    <section class="stack">
      <div class="line">
        <h2>
          <bdi>{hook.name ?? String(hook.params.url ?? nameOf(hook, kinds))}</bdi>
        </h2>
        <span class={hook.status === 'ACTIVE' ? 'tag good' : 'tag warn'}>{words.services.statuses[hook.status]}</span>
        {pending > 0 && <span class="mute">{own.pending(pending)}</span>}
        {hook.events && hook.events.failed > 0 && <span class="bad">{own.givenUp(hook.events.failed)}</span>}
        {state?.heldUntil && <span class="mute">{own.held(shortTime(state.heldUntil, store.now.value))}</span>}
        {state && state.failures > 0 && <span class="bad">{own.failures(state.failures)}</span>}
        {state && (
          <button
            class="btn small push"
            onClick={() => run(store.request(VerifyWebhookDocument, { service: hook.id }))}
          >
            {own.verify}
          </button>
        )}
        <button class={state ? 'btn small' : 'btn small push'} onClick={() => run(replay())}>
          {own.replay}
        </button>
        <span role="status" class="mute t2">
          {isReplayed && own.replayed}
        </span>
      </div>
      {(fault || state?.lastError) && (
        <p class="band warn">
          <Icon name="alert" />
          {fault ?? state?.lastError}
        </p>
      )}
      {state?.lastIgnored && (
        <p class="band warn">
          <Icon name="alert" />
          {own.ignored(state.lastIgnored)}
        </p>
      )}
      {deliveries.data && rows.length === 0 && <p class="mid">{own.noDeliveries}</p>}
      {rows.length > 0 && (
        <Table label={own.deliveries} heads={[own.event, own.result, own.when, '']}>
          {rows.map(({ id, event, status, statusCode, error, at, attemptCount }) => (
            <tr key={id}>
              <th scope="row" class="mono">
                {event}
              </th>
              <td>
                <span class={status === 'DELIVERED' ? 'good' : status === 'FAILED' ? 'bad' : 'mute'}>
                  {own.statuses[status]}
                </span>{' '}
                <span class="mute t2">
                  {[statusCode, error, own.attempts(attemptCount)].filter(Boolean).join(' · ')}
                </span>
              </td>
              <td>{shortTime(at, store.now.value)}</td>
              <td class="num">
                <button
                  class="btn ghost small"
                  aria-label={`${own.again}: ${event}`}
                  onClick={() => run(store.request(RedeliverDocument, { delivery: id }))}
                >
                  {own.again}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
