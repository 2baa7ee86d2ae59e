import type { ComponentChildren } from 'preact'
import type { AdminHealthQuery } from '../../generated/admin.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { Empty } from './section.js'
import { words } from './words.js'

type Mails = NonNullable<AdminHealthQuery['services']['edges'][number]['node']['mailbox']>

/** A number as people read it. */
export const figure = (count: number): string => count.toLocaleString(formatLocale())

interface ServiceStateProps {
  name: string
  /** Classes of the tag, and what it says. */
  tone: string
  state: string | undefined
  /** Stands beside it. */
  aside?: ComponentChildren
  problem: ComponentChildren
  /** True for the answer to what somebody has just done. */
  isAlert?: boolean
  children: ComponentChildren
}

/** A service with its state and what is wrong with it. */
export function ServiceState({ name, tone, state, aside, problem, isAlert, children }: ServiceStateProps) {
  return (
    <section class="stack" aria-label={name}>
      <div class="line">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class={tone}>{state}</span>
        {aside}
      </div>
      {problem && (
        <p class="band warn" role={isAlert ? 'alert' : undefined}>
          <Icon name="alert" />
          <span class="grow">{problem}</span>
        </p>
      )}
      {children}
    </section>
  )
}

/** Says that nothing is lost: what the server lists is stored, or it has a name, or its turn comes. */
export function MailSum({ mails }: { mails: Mails }) {
  const own = words.mailboxes
  const { listed, named, pending, stored } = mails
  return (
    <p>
      <b>{own.sum(figure(listed), figure(stored), figure(named))}</b>
      {pending > 0 && <> {own.pending(figure(pending))}</>}
    </p>
  )
}

/** Says that there is nothing yet, and where services are made. */
export function NoServices({ icon, says }: { icon: string; says: readonly string[] }) {
  return (
    <Empty icon={icon} says={says}>
      <a class="btn" href="/console/admin/services">
        {words.webhooks.toServices}
      </a>
    </Empty>
  )
}
