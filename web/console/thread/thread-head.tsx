import { useState } from 'preact/hooks'
import { AcceptDocument, FollowDocument, LeaveDocument, UnfollowDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon, TOUCHPOINT_ICONS } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { Opened } from '../lazy.js'
import { useOffice } from '../office.js'
import { listPath, type ListName } from '../route.js'
import { Clocks } from './clocks.js'
import { Viewers } from './viewers.js'

const STATUS_TONES = { QUEUED: 'warn', ACTIVE: 'good', CLOSED: '', ARCHIVED: '' } as const
type Doing = 'accept' | 'close' | 'follow'

/** Who it is with, how it stands, and what can be done with it as a whole. */
export function ThreadHead({ thread, list, showPanel }: { thread: ThreadFrame; list: ListName; showPanel(): void }) {
  const office = useOffice()
  const words = t()
  const { conversation, participants } = thread
  const { id, status } = conversation
  const [busy, setBusy] = useState<Doing | null>(null)
  const [said, say] = useState<{ tone: 'bad' | 'warn'; text: string } | null>(null)
  const [shown, show] = useState<'handOver' | 'why' | 'block' | null>(null)
  const own = participants.find(({ userId }) => userId === office.user)
  const isMine = own?.accepted === true && status === 'ACTIVE'
  const canAccept = !isMine && status !== 'ARCHIVED'
  const isOpen = status === 'ACTIVE' || status === 'QUEUED'
  const canClose = own !== undefined && isOpen
  const name = thread.name

  const act = async (what: Doing, run: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(what)
    say(null)
    await run().catch((error: Error) => say({ tone: 'bad', text: error.message }))
    setBusy(null)
  }
  const accept = (trigger: string): void =>
    void act('accept', () =>
      office.request(AcceptDocument, { conversation: id, trigger, ...(status === 'QUEUED' && { ifQueued: true }) }),
    )
  const byList = list === 'inbox' ? 'inbox' : 'channel'
  const close = (): void => {
    if (!canClose) return say({ tone: 'warn', text: words.thread.closeFirst })
    void act('close', async () => {
      const { leaveConversation: left } = await office.request(LeaveDocument, { conversation: id })
      if (left.status === 'QUEUED') say({ tone: 'warn', text: words.thread.closeUnanswered })
      else if (left.status === 'ACTIVE') say({ tone: 'warn', text: words.thread.closeOthers })
    })
  }
  const follow = (): void =>
    void act('follow', () =>
      own?.follow
        ? office.request(UnfollowDocument, { conversation: id })
        : office.request(FollowDocument, { conversation: id }),
    )
  const followWord = own?.follow ? words.thread.unfollow : words.thread.follow

  useCommand(
    { id: 'accept', label: words.thread.accept, icon: 'check', key: 'a', run: () => accept('shortkey') },
    canAccept,
  )
  useCommand({ id: 'close', label: words.thread.closeIt, icon: 'x', key: 'e', run: close }, isOpen)
  useCommand(
    { id: 'hand-over', label: words.thread.handOver, icon: 'hand', key: 'h', run: () => show('handOver') },
    isMine,
  )
  useCommand({ id: 'follow', label: followWord, icon: 'bell', run: follow }, status !== 'ARCHIVED')
  const canBlock = conversation.contactId !== null && status !== 'ARCHIVED'
  useCommand({ id: 'block', label: words.thread.block, icon: 'x', run: () => show('block') }, canBlock)
  useCommand({ id: 'why', label: words.thread.why, icon: 'route', run: () => show('why') })

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
            {conversation.touchpoint && <Icon name={TOUCHPOINT_ICONS[conversation.touchpoint]} size="s" />}
            <span>{conversation.touchpoint ? words.touchpoint[conversation.touchpoint] : words.touchpoint.none}</span>
            <button class="link" onClick={() => show('why')}>
              {words.thread.why}
            </button>
            <Viewers thread={thread} />
            <bdi class="cut wide-cell">{conversation.name}</bdi>
          </div>
          <Clocks clocks={thread.clocks} />
        </div>
        <button class="btn ghost icon to-panel" aria-label={words.panel.show} onClick={showPanel}>
          <Icon name="user" />
        </button>
        {isMine && (
          <button class="btn ghost icon" aria-label={words.thread.handOver} onClick={() => show('handOver')}>
            <Icon name="hand" flip />
          </button>
        )}
        {canAccept && (
          <button
            class={busy === 'accept' ? 'btn primary busy' : 'btn primary'}
            aria-disabled={busy !== null}
            onClick={() => accept(byList)}
          >
            <Icon name="check" />
            {words.thread.accept}
          </button>
        )}
        {canClose && (
          <button
            class={busy === 'close' ? 'btn busy' : 'btn'}
            aria-label={words.thread.closeIt}
            aria-disabled={busy !== null}
            onClick={close}
          >
            <Icon name="check" />
            <span class="short">{words.thread.closeShort}</span>
          </button>
        )}
      </div>
      {said && (
        <p class={`band ${said.tone}`} role="alert">
          <Icon name="alert" />
          {said.text}
          <button class="btn small push" onClick={() => say(null)}>
            {words.close}
          </button>
        </p>
      )}
      {shown === 'handOver' && <Opened dialog="HandOver" thread={thread} close={() => show(null)} />}
      {shown === 'block' && <Opened dialog="BlockContact" conversation={id} close={() => show(null)} />}
      {shown === 'why' && <Opened dialog="Why" conversation={id} close={() => show(null)} />}
    </>
  )
}
