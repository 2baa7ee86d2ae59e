import { AdminHealthDocument, type AdminHealthQuery, type ServiceHealthState } from '../../generated/admin.js'
import { formatLocale, shortTime } from '../../shared/i18n/format.js'
import { useStore } from '../store/console-store.js'
import { nameOf, useServiceKinds } from './service-kinds.js'
import { More, Section } from './section.js'
import { figure, MailSum, NoServices, ServiceState } from './service-state.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Checked = AdminHealthQuery['services']['edges'][number]['node']
type Health = NonNullable<Checked['health']>

const TONES: Readonly<Record<ServiceHealthState, string>> = {
  OK: 'tag good',
  DOUBTFUL: 'tag warn',
  FAILING: 'tag bad',
  UNCHECKED: 'tag',
  OFF: 'tag',
}

/** Shows of each way to the consumer whether it works, what passes through it, and what helps where it does not. */
export function HealthPage() {
  const answer = usePages(AdminHealthDocument, ({ services }) => services, null)
  const own = words.health
  const shown = answer.rows.filter(({ health }) => health !== null)
  return (
    <Section title={words.sections.health} lead={own.help} answer={answer}>
      {answer.data && shown.length === 0 && <NoServices icon="web" says={own.none} />}
      {shown.map((service) => (
        <Service key={service.id} service={service} health={service.health!} />
      ))}
      <More more={answer.more} />
    </Section>
  )
}

function Service({ service, health }: { service: Checked; health: Health }) {
  const own = words.health
  const kinds = useServiceKinds()
  const name = nameOf(service, kinds)
  const store = useStore()
  const said = service.problem ?? health.message
  const { code, fix, tokenEndsAt } = health
  const problem = said ? (
    <>
      <bdi lang="en">{said}</bdi>
      {code && <> {own.fixes[code]}</>}
    </>
  ) : fix && tokenEndsAt ? (
    `${own.tokenEnds(shortTime(tokenEndsAt, store.now.value))} ${own.fixes.TOKEN}`
  ) : null
  return (
    <ServiceState
      name={name}
      tone={TONES[health.state]}
      state={own.states[health.state]}
      problem={problem}
      aside={
        service.mailbox && (
          <a class="btn ghost small push" href={`/console/admin/mailboxes/${service.id}`}>
            {words.mailboxes.mails}
          </a>
        )
      }
    >
      <Traffic health={health} />
      {service.mailbox && <MailSum mails={service.mailbox} />}
      <Lines title={own.refusals} lines={health.refusals.map(({ reason, count }) => [reason ?? own.noReason, count])} />
      <Lines title={own.unnamed} lines={health.unnamed.map((each) => [each.name, each.count])} />
    </ServiceState>
  )
}

function Traffic({ health }: { health: Health }) {
  const store = useStore()
  const own = words.health
  const { checkedAt, lagP95Seconds, lastInAt, lastOutAt, quality, tokenEndsAt, waiting, waitingSince } = health
  const at = (time: string): string => shortTime(time, store.now.value)
  const said = [
    lastInAt ? own.lastIn(at(lastInAt)) : own.nothingIn,
    lagP95Seconds !== null && own.lag(seconds(lagP95Seconds)),
    lastOutAt ? own.lastOut(at(lastOutAt)) : own.nothingOut,
    waitingSince && own.waiting(figure(waiting), at(waitingSince)),
    quality && own.quality(quality),
    tokenEndsAt && own.tokenUntil(at(tokenEndsAt)),
    checkedAt && own.checked(at(checkedAt)),
  ]
  return <p class="mid">{said.filter(Boolean).join(' · ')}</p>
}

/** As `0.4 s`: providers give whole seconds, by clocks of their own. */
const seconds = (count: number): string =>
  count.toLocaleString(formatLocale(), {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  })

function Lines({ title, lines }: { title: string; lines: readonly (readonly [text: string, count: number])[] }) {
  if (lines.length === 0) return null
  return (
    <div class="stack tight">
      <h3 class="t2">{title}</h3>
      <ul class="plain">
        {lines.map(([text, count]) => (
          <li key={text}>
            {figure(count)} × <bdi lang="en">{text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
