import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'

interface MailProps {
  message: ThreadMessage
}

/** Lines below a message that is a mail: who else it is to, and whether its sender is proven. */
export function MailLines({ message }: MailProps) {
  return (
    <>
      <Recipients message={message} />
      <MaybeNotFrom message={message} />
    </>
  )
}

/** Addresses in the head of a mail: with names in one that came, without in one of ours. */
type Addresses = readonly (string | { address: string })[]

/** Says who else a mail is to. */
function Recipients({ message: { meta, role } }: MailProps) {
  const mail = meta?._mail as Partial<Record<'to' | 'cc' | 'bcc', Addresses>> | undefined
  if (!mail) return null
  const { to = [], cc = [], bcc = [] } = mail
  // Of one that came, the only recipient is the service itself.
  const shown = { to: (role === 'CONTACT' || role === 'SYSTEM') && to.length < 2 ? [] : to, cc, bcc }
  const { forwarded, ...words } = t().thread.mail
  const lists = (['to', 'cc', 'bcc'] as const).filter((list) => shown[list].length > 0)
  if (lists.length === 0) return null
  return (
    <p class="sent">
      <Icon name="mail" size="s" />
      <bdi>
        {lists
          .map((list) => {
            const addresses = shown[list].map((each) => (typeof each === 'string' ? each : each.address))
            return `${meta?._forward ? forwarded : words[list]}: ${addresses.join(', ')}`
          })
          .join(' · ')}
      </bdi>
    </p>
  )
}

/** Says of a mail that nothing proves its sender. */
function MaybeNotFrom({ message: { meta } }: MailProps) {
  const sender = meta?._sender as { email: string; proof: string } | undefined
  if (!sender) return null
  const words = t().thread
  return (
    <p class="sent bad" role="note">
      <Icon name="alert" size="s" />
      <span>
        <bdi>{words.maybeNotFrom(sender.email)}</bdi>
        {sender.proof === 'failed' && ` ${words.againstPolicy}`}
      </span>
    </p>
  )
}
