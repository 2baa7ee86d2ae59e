import { useEffect, useState } from 'preact/hooks'
import { FollowDocument, LeaveDocument, UnfollowDocument } from '../../generated/conversations.js'
import { dayTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { LabelChips } from '../labels/label-chips.js'
import { Opened } from '../lazy.js'
import { useStore } from '../store/console-store.js'
import { useShown } from '../use-shown.js'
import { listPath, type AnyList } from '../route.js'
import { leave } from './leave.js'
import { Clocks } from './clocks.js'

const STATUS_TONES = { QUEUED: 'warn', ACTIVE: 'good', CLOSED: '', ARCHIVED: '' } as const
type Doing = 'follow'

interface ThreadHeadProps {
  thread: ThreadFrame
  /** The agent has accepted it. */
  isOwn: boolean
  list: AnyList
  showPanel(): void
}

/** Name, status and actions of the conversation as a whole. */
export function ThreadHead({ thread, isOwn, list, showPanel }: ThreadHeadProps) {
  const store = useStore()
  const words = t()
  const { conversation, participants } = thread
  const { id, status } = conversation
  const [busy, setBusy] = useState<Doing | null>(null)
  const [shown, show, hide] = useShown<'handOver' | 'why' | 'block' | 'label' | 'snooze' | 'copy' | 'more'>()
  const own = participants.find(({ userId }) => userId === store.user)
  const isFresh = useFresh(isOwn)
  const name = thread.name

  const { acts } = store
  const fault = acts.faults.value.get(id)
  const act = async (what: Doing, run: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(what)
    acts.say(id, null)
    await run().catch((error: Error) => acts.say(id, error.message))
    setBusy(null)
  }
  const leaveBy = (run: () => Promise<unknown>): void => {
    if (!isFresh && !busy) leave(store, id, list, run)
  }
  const close = (): void => leaveBy(() => acts.close(id, name))
  const backToQueue = (): void => leaveBy(() => store.request(LeaveDocument, { conversation: id }))
  const follow = (): void =>
    void act('follow', () =>
      own?.follow
        ? store.request(UnfollowDocument, { conversation: id })
        : store.request(FollowDocument, { conversation: id }),
    )
  const followWord = own?.follow ? words.thread.unfollow : words.thread.follow

  useCommand({ id: 'close', label: words.thread.closeIt, icon: 'x', key: 'e', run: close }, isOwn)
  useCommand({ id: 'back-to-queue', label: words.thread.backToQueue, icon: 'undo', run: backToQueue }, isOwn)
  useCommand(
    { id: 'hand-over', label: words.thread.handOver, icon: 'hand', key: 'h', run: () => show('handOver') },
    isOwn,
  )
  useCommand(
    { id: 'label', label: words.labels.title, icon: 'tag', key: 'l', run: () => show('label') },
    status !== 'ARCHIVED',
  )
  useCommand(
    { id: 'macro', label: words.thread.macro, icon: 'macro', key: 'm', run: () => (store.macro.value = '') },
    status !== 'ARCHIVED',
  )
  const canSnooze = isOwn || status === 'QUEUED'
  useCommand(
    { id: 'snooze', label: words.snooze.title, icon: 'snooze', key: 'z', run: () => show('snooze') },
    canSnooze,
  )
  useCommand({ id: 'follow', label: followWord, icon: 'bell', run: follow }, status !== 'ARCHIVED')
  const canBlock = conversation.contactId !== null && status !== 'ARCHIVED'
  useCommand({ id: 'block', label: words.thread.block, icon: 'x', run: () => show('block') }, canBlock)
  useCommand({ id: 'copy', label: words.thread.copy, icon: 'mail', run: () => show('copy') }, canBlock)
  const why = isOwn ? words.thread.whyMe : words.thread.whyHere
  useCommand({ id: 'why', label: why, icon: 'route', run: () => show('why') })

  return (
    <>
      <div class="head">
        <a class="btn ghost icon phone" href={listPath(list)} aria-label={words.back}>
          <Icon name="left" flip />
        </a>
        <Avatar name={name} of={id} />
        <div class="grow">
          <h1 class="cut" dir="auto">
            {name}
          </h1>
          <div class="sub">
            <span class={`tag ${STATUS_TONES[status]}`}>{words.thread.status[status]}</span>
            {conversation.snoozedUntil && (
              <span class="tag">{words.snooze.until(dayTime(conversation.snoozedUntil, store.now.value))}</span>
            )}
            {conversation.touchpoint && <Icon name={TOUCHPOINT_TRAITS[conversation.touchpoint].icon} size="s" />}
            <span>{conversation.touchpoint ? words.touchpoint[conversation.touchpoint] : words.touchpoint.none}</span>
            <button class="link" onClick={() => show('why')}>
              {why}
            </button>
            <Opened dialog="Viewers" thread={thread} />
            <bdi class="cut wide-cell">{conversation.name}</bdi>
          </div>
          {conversation.labels.length > 0 && (
            <div class="labels">
              <LabelChips labels={conversation.labels} />
            </div>
          )}
          <Clocks clocks={thread.clocks} />
        </div>
        <button class="btn ghost icon to-panel" aria-label={words.panel.show} onClick={showPanel}>
          <Icon name="user" />
        </button>
        {status !== 'ARCHIVED' && (
          <button
            class="btn ghost icon"
            aria-label={words.labels.title}
            data-command="label"
            onClick={() => show('label')}
          >
            <Icon name="tag" />
          </button>
        )}
        {canSnooze && (
          <button
            class="btn ghost icon"
            aria-label={words.snooze.title}
            data-command="snooze"
            onClick={() => show('snooze')}
          >
            <Icon name="snooze" />
          </button>
        )}
        {isOwn && (
          <button class="btn ghost icon wide-cell" aria-label={words.thread.handOver} onClick={() => show('handOver')}>
            <Icon name="hand" flip />
          </button>
        )}
        {status !== 'ARCHIVED' && (
          <button
            class="btn ghost icon wide-cell"
            aria-label={words.thread.macro}
            data-command="macro"
            onClick={() => (store.macro.value = '')}
          >
            <Icon name="macro" />
          </button>
        )}
        <button class="btn ghost icon" aria-label={words.nav.more} onClick={() => show('more')}>
          <Icon name="dots" />
        </button>
        {isOwn && (
          <button
            class="btn"
            aria-label={words.thread.closeIt}
            aria-disabled={isFresh || busy !== null}
            data-command="close"
            onClick={close}
          >
            <Icon name="check" />
            <span class="short">{words.thread.closeShort}</span>
          </button>
        )}
      </div>
      {fault && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {fault}
          <button class="btn small push" onClick={() => acts.say(id, null)}>
            {words.close}
          </button>
        </p>
      )}
      {shown === 'handOver' && <Opened dialog="HandOver" thread={thread} close={hide} />}
      {shown === 'label' && <Opened dialog="LabelDialog" thread={thread} close={hide} />}
      {shown === 'snooze' && <Opened dialog="SnoozeDialog" thread={thread} leaveBy={leaveBy} close={hide} />}
      {shown === 'copy' && <Opened dialog="CopyDialog" thread={thread} close={hide} />}
      {shown === 'block' && <Opened dialog="BlockContact" conversation={id} close={hide} />}
      {shown === 'more' && <Opened dialog="ThreadMore" close={hide} />}
      {shown === 'why' && <Opened dialog="Why" conversation={id} close={hide} />}
    </>
  )
}

/** Long enough for a second click that was meant for what stood there before. */
const FRESH_MS = 600

/** Tells for a moment that something has just appeared. */
function useFresh(isShown: boolean): boolean {
  const [isSettled, settle] = useState(false)
  useEffect(() => {
    if (!isShown) return settle(false)
    const timer = setTimeout(() => settle(true), FRESH_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return !isSettled
}
