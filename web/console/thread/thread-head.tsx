import { useState } from 'preact/hooks'
import { AcceptDocument, FollowDocument, LeaveDocument, UnfollowDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Thread } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon, TOUCHPOINT_ICONS } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { useOffice } from '../office.js'
import { listPath, type ListName } from '../route.js'
import { HandOver } from './hand-over.js'
import { contactName } from './contact-name.js'
import { BlockContact } from './block-contact.js'
import { Clocks } from './clocks.js'
import { Viewers } from './viewers.js'
import { Why } from './why.js'

const STATUS_TONES = { QUEUED: 'warn', ACTIVE: 'good', CLOSED: '', ARCHIVED: '' } as const
type Doing = 'accept' | 'close' | 'follow'

/** Who it is with, how it stands, and what can be done with it as a whole. */
export function ThreadHead({ thread, list, showPanel }: { thread: Thread; list: ListName; showPanel(): void }) {
  const office = useOffice()
  const words = t()
  const { conversation, participants } = thread
  const { id, status } = conversation
  const [busy, setBusy] = useState<Doing | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [shown, show] = useState<'handOver' | 'why' | 'block' | null>(null)
  const own = participants.find(({ userId }) => userId === office.user)
  const isMine = own?.accepted === true && status === 'ACTIVE'
  const canAccept = !isMine && status !== 'ARCHIVED'
  const canClose = own !== undefined && (status === 'ACTIVE' || status === 'QUEUED')
  const name = contactName(thread)

  const act = async (what: Doing, run: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(what)
    setFault(null)
    await run().catch((error: Error) => setFault(error.message))
    setBusy(null)
  }
  const accept = (trigger: string): void =>
    void act('accept', () =>
      office.request(AcceptDocument, { conversation: id, trigger, ...(status === 'QUEUED' && { ifQueued: true }) }),
    )
  const byList = list === 'inbox' ? 'inbox' : 'channel'
  const close = (): void => void act('close', () => office.request(LeaveDocument, { conversation: id }))
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
  useCommand({ id: 'close', label: words.thread.closeIt, icon: 'x', key: 'e', run: close }, canClose)
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
      {fault && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {fault}
          <button class="btn small push" onClick={() => setFault(null)}>
            {words.close}
          </button>
        </p>
      )}
      {shown === 'handOver' && <HandOver thread={thread} close={() => show(null)} />}
      {shown === 'block' && <BlockContact conversation={id} close={() => show(null)} />}
      {shown === 'why' && <Why conversation={id} close={() => show(null)} />}
    </>
  )
}
