import { BotsHereDocument, type BotsHereQuery } from '../../generated/bots-admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { PauseButton } from './admin/pause-button.js'
import { PauseLine } from './admin/pause-line.js'
import { useBotAdminWords, words } from './admin/words.js'

type Conversation = NonNullable<BotsHereQuery['conversation']>
type Bot = NonNullable<Conversation['participants'][number]['user']>

/** For supervisors: the bots of a conversation, each of which can be stopped, and let go on. */
export default function BotsHere({ conversation }: { conversation: string }) {
  useBotAdminWords()
  const { data, refresh } = useQuery(BotsHereDocument, { conversation })
  const bots = data?.conversation ? botsIn(data.conversation) : []
  if (bots.length === 0) return null
  return (
    <section class="sec" aria-label={words.bots}>
      <h3>{words.bots}</h3>
      <ul class="stack">
        {bots.map(({ id, displayName, pauses }) => (
          <li key={id} class="stack">
            <div class="line">
              <Icon name="bot" size="s" />
              <bdi class="cut grow" id={`bot-here-${id}`}>
                {displayName}
              </bdi>
              {pauses.length > 0 && <span class="tag warn">{words.paused}</span>}
              <PauseButton bot={{ id, displayName, pauses }} about={`bot-here-${id}`} done={refresh} />
            </div>
            {pauses.map((pause) => (
              <PauseLine key={pause.organizationId} pause={pause} nameOf={() => ''} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Those who take part, wrote what is shown, or suggest something: a paused one takes part no more. */
function botsIn({ participants, messages, proposals }: Conversation): Bot[] {
  const writers = messages.edges.filter(({ node }) => node.isAutomated).map(({ node }) => node.user)
  const suggesting = proposals.map(({ bot }) => bot)
  const found = [...participants.map(({ user }) => user), ...writers, ...suggesting].filter(
    (user) => user?.role === 'BOT',
  )
  return [...new Map(found.map((user) => [user!.id, user!])).values()]
}
