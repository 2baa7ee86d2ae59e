import type { ComponentChildren } from 'preact'
import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import type { ListName } from '../route.js'

/** Says why there is nothing, and what would come. */
export function EmptyList({ list }: { list: ListName }) {
  useActWords()
  const words = catalogue.empty
  if (list === 'mine') return <Nothing icon="mine" title={words.mineEmpty} help={words.mineEmptyHelp} />
  if (list === 'inbox') return <Nothing icon="inbox" title={words.inboxEmpty} help={words.inboxEmptyHelp} />
  return <EmptyQueue />
}

function EmptyQueue() {
  const store = useStore()
  const words = catalogue.empty
  const channels = store.organization.ownChannels.value
  if (channels?.length === 0) {
    return store.isAdmin ? (
      <Nothing icon="queue" title={words.noChannels} help={words.noChannelsYet}>
        <a class="btn primary" href="/console/admin">
          {words.firstSteps}
        </a>
      </Nothing>
    ) : (
      <Nothing icon="queue" title={words.noChannels} help={words.noChannelsHelp} />
    )
  }
  return (
    <>
      <div class="sec stack">
        <h2 class="line">
          <span class="good">
            <Icon name="check" />
          </span>
          {words.allAnswered}
        </h2>
        <p class="mid">{words.queueEmpty}</p>
      </div>
      {channels && (
        <div class="sec">
          <h3>{words.yourChannels}</h3>
          <ul class="stack">
            {channels.map(({ id, name, members }) => (
              <li key={id} class="line">
                <span class="good">
                  <span class="dot" />
                </span>
                <bdi class="cut grow">{name}</bdi>
                <span class="mute">{members.length === 1 ? words.onlyYou : words.members(members.length)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

interface NothingProps {
  icon: string
  title: string
  help: string
  children?: ComponentChildren
}

function Nothing({ icon, title, help, children }: NothingProps) {
  return (
    <div class="sec stack">
      <h2 class="line">
        <span class="mute">
          <Icon name={icon} />
        </span>
        {title}
      </h2>
      <p class="mid">{help}</p>
      {children}
    </div>
  )
}
