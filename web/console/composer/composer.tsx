import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import type { Outgoing } from '../../shared/outbox/outgoing.js'
import type { Touchpoint } from '../../generated/live.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import { newId } from '@switchboard/client'
import { idOfDraft } from '../../shared/outbox/draft-id.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { dropsOf } from './drops.js'
import { fileMessage, outgoingFor, undoFor, isCommand } from './outgoing-for.js'
import { mailOf } from './mail-head.js'
import { enterSends } from './enter-sends.js'
import { dialogs, loadDialogs, Opened } from '../lazy.js'
import type { Suggestion } from './suggestions.js'
import { triggerAt, type Trigger } from './triggers.js'
import { touchpointsOf } from './touchpoints.js'
import { useDraft } from './use-draft.js'
import { ACCEPTED, useUploads } from './use-upload.js'
import { useTyping } from './use-typing.js'
import type { Target, Via } from './via.js'

const OPTIONS = 'composer-options'

interface ComposerProps {
  id: string
  /** Null until it has come: what is sent before is looked at once more, see `seen.ts`. */
  thread: ThreadFrame | null
  box: { current: HTMLTextAreaElement | null }
  /** A reply accepts the conversation. */
  accepts: boolean
  /** False just after a click on something else that stood here. */
  mayClick(): boolean
  /** Closes the conversation, and goes on with the next. */
  close(): void
}

/** The box for a reply or a note. A text is a draft as soon as it is typed, and in the outbox as soon as it is sent. */
export function Composer({ id, thread, box, accepts, mayClick, close }: ComposerProps) {
  const store = useStore()
  const words = t().composer
  const conversation = thread?.conversation
  const drafts = store.writing.drafts.value
  const isNote = useSignal(drafts?.peek(id)?.isNote ?? false)
  const to = useSignal<Target>({})
  const via = useSignal<Via | null>(null)
  const text = useSignal(drafts?.peek(id)?.text ?? '')
  const trigger = useSignal<Trigger | null>(null)
  const chosen = useSignal(0)
  const typing = useTyping(store, id)
  const forgetTyped = useDraft(store, id, box, isNote, text)
  const uploads = useUploads(store)
  const files = useRef<HTMLInputElement>(null)
  const isDraggedOver = useSignal(false)
  /** Sent while its files are on their way: it goes with them. */
  const isDue = useSignal(false)
  const write = (note: boolean): void => {
    isNote.value = note
    isDue.value = false
    box.current?.focus()
  }
  const isOpen = conversation?.status !== 'ARCHIVED'
  useCommand({ id: 'reply', label: words.reply, icon: 'chat', key: 'r', run: () => write(false) }, isOpen)
  useCommand({ id: 'note', label: words.note, icon: 'lock', key: 'n', run: () => write(true) }, isOpen)
  if (!isOpen) return <p class="band">{words.archived}</p>

  const name = thread?.name ?? ''
  const givenName = conversation?.contact?.profile.name?.split(' ')[0] ?? ''
  const parts = dialogs.value
  const suggestions = trigger.value
    ? (parts?.suggestionsFor(trigger.value, store, {
        givenName,
        organization: conversation?.organizationId ?? '',
      }) ?? [])
    : []
  const isSuggesting = suggestions.length > 0
  const choices = conversation ? touchpointsOf(conversation) : []
  const wayNow = (): Touchpoint | undefined => via.value?.touchpoint ?? to.value.touchpoint ?? choices[0]
  const way = wayNow()
  const traits = way && TOUCHPOINT_TRAITS[way]

  const sendsByEnter = enterSends.isOn() && (isNote.value || !traits?.isLetter)

  const typed = (): void => {
    const area = box.current!
    text.value = area.value
    isDue.value = false
    trigger.value = triggerAt(area.value, area.selectionStart)
    if (trigger.peek()) void loadDialogs().catch(() => undefined)
    chosen.value = 0
    if (area.value.trim() && !/^[/>]/.test(area.value)) typing.typed(isNote.peek())
  }
  const choose = (suggestion: Suggestion): void => {
    const area = box.current!
    const { from } = trigger.peek()!
    area.setRangeText(suggestion.text, from, area.selectionStart, 'end')
    trigger.value = null
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    trigger.value = null
    area.focus()
    if (suggestion.macro) store.macro.value = suggestion.macro
  }
  /** @param thenClose once it is kept */
  const submit = async (by: Outgoing['unseen'], thenClose = false): Promise<void> => {
    const area = box.current!
    const given = area.value.trim()
    const [wasNote, wasTo] = [isNote.peek(), to.peek()]
    /** Tells whether the box still has what was sent, for whom it was sent. */
    const isSame = (): boolean =>
      area.isConnected && area.value.trim() === given && isNote.peek() === wasNote && to.peek() === wasTo
    const outbox = await store.writing.opened.promise
    const hasFiles = uploads.all.peek().length > 0
    if (!isSame() || (given === '' && !hasFiles)) return
    if (!area.form!.reportValidity()) return
    const isCommanding = isCommand(given)
    /** Tells whether nothing that is written would arrive: it stays in the box, and the focus goes to what can be done. */
    const isStopped = (): boolean => {
      if (isNote.peek() || isCommanding || !via.peek()?.isBarred()) return false
      leaveTo('.barred .btn')
      return true
    }
    if (isStopped()) return
    if (!uploads.areThere()) {
      isDue.value = true
      const haveCome = await uploads.come()
      const isMeant = haveCome && isDue.peek() && isSame()
      isDue.value = false
      if (!isMeant || !area.form!.reportValidity() || isStopped()) return
    }
    forgetTyped()
    area.value = ''
    text.value = ''
    trigger.value = null
    typing.stop()
    const touchpoint = wayNow()
    const colleagues = store.organization.colleagues.peek()
    const isMail = !isNote.peek() && touchpoint && TOUCHPOINT_TRAITS[touchpoint].isLetter && !isCommanding
    const kept = store.writing.drafts.peek()
    const draft = kept?.peek(id)
    const mail = isMail ? mailOf(draft?.mail) : {}
    const how = {
      isNote: isNote.peek(),
      to: to.peek(),
      mark: conversation?.mark ?? null,
      colleagues,
      proposal: draft?.proposal,
      mail,
    }
    const messages = [
      ...(given === '' ? [] : [outgoingFor(given, how)]),
      ...uploads.take().map(({ attachment, name }) => fileMessage({ attachment: attachment!, name }, how)),
    ]
    const isDraft = draft != null && draft.text.trim() === given && draft.isNote === how.isNote
    const stored = messages.map((message) =>
      outbox.add({
        id: isDraft && message.text === given ? idOfDraft(draft) : newId(),
        user: store.user,
        conversation: id,
        message,
        at: Date.now(),
        ...(conversation ? undoFor(message, touchpoint) : { unseen: hasFiles ? 'button' : by }),
      }),
    )
    // At once: later, the agent may be elsewhere.
    area.focus()
    if (thenClose && !isCommanding) close()
    await kept?.sent(id, Promise.all(stored), Boolean(isMail))
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const isMeant = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && !event.altKey && (isMeant || (sendsByEnter && !isSuggesting && !event.shiftKey))) {
      event.preventDefault()
      return void submit(isMeant ? 'button' : 'enter', event.shiftKey)
    }
    if (!isSuggesting) {
      if (event.key === 'Escape') leaveTo('[role="log"]')
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !event.altKey) chosen.value = (chosen.peek() + step + suggestions.length) % suggestions.length
    else if (event.key === 'Enter' || event.key === 'Tab') choose(suggestions[chosen.peek()]!)
    else if (event.key === 'Escape') trigger.value = null
    else return
    event.preventDefault()
  }
  const begin = (sign: Trigger['sign']): void => {
    const area = box.current!
    area.focus()
    const before = area.value.slice(0, area.selectionStart)
    area.setRangeText(
      before === '' || /\s$/.test(before) ? sign : ` ${sign}`,
      area.selectionStart,
      area.selectionEnd,
      'end',
    )
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  return (
    <form
      class="composer"
      aria-label={words.label}
      data-kind={isNote.value ? 'note' : 'reply'}
      data-drop={isDraggedOver.value || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        void submit('button')
      }}
      {...dropsOf(uploads, isDraggedOver)}
    >
      {isSuggesting && (
        <Opened
          dialog="SuggestionList"
          id={OPTIONS}
          label={LABELS[trigger.value!.sign]()}
          suggestions={suggestions}
          chosen={chosen.value}
          choose={choose}
        />
      )}
      <div class="bar">
        <fieldset class="seg">
          <legend class="vh">{words.kind}</legend>
          <label>
            <input type="radio" name="kind" checked={!isNote.value} onChange={() => write(false)} />
            <Icon name="chat" size="s" />
            {words.reply}
          </label>
          <label>
            <input type="radio" name="kind" checked={isNote.value} onChange={() => write(true)} />
            <Icon name="lock" size="s" />
            {words.note}
          </label>
        </fieldset>
        {parts && thread && (
          <parts.RouteLine
            thread={thread}
            name={givenName || name}
            isNote={isNote.value}
            choices={choices}
            to={to}
            via={via}
            text={text.value}
            uploads={uploads}
            box={box}
            chosen={() => (isDue.value = false)}
          />
        )}
        {isNote.value && <span class="t2">{words.onlyColleagues}</span>}
        {!isNote.value && conversation?.status === 'QUEUED' && accepts && <span class="mute t2">{words.accepts}</span>}
        {parts && <parts.DraftState id={id} />}
      </div>
      {!isNote.value && traits?.isLetter && <Opened dialog="MailFields" id={id} />}
      <textarea
        ref={box}
        aria-label={isNote.value ? words.note : words.reply}
        rows={2}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={isSuggesting ? OPTIONS : undefined}
        aria-activedescendant={isSuggesting ? `${OPTIONS}-${chosen.value}` : undefined}
        placeholder={isNote.value ? words.notePlaceholder : words.placeholder}
        defaultValue={text.peek()}
        onKeyDown={keyDown}
        onInput={typed}
        onBlur={() => {
          trigger.value = null
          typing.stop()
        }}
      />
      {!isNote.value && traits?.isLetter && parts && <parts.SignatureLine id={id} thread={thread} />}
      {uploads.all.value.length > 0 && <Opened dialog="UploadList" uploads={uploads} isDue={isDue.value} />}
      {parts && <parts.DraftHints id={id} text={isNote.value ? '' : text.value} />}
      <div class="bar">
        {TOOLS.map(([sign, icon]) => (
          <button
            key={sign}
            type="button"
            class="btn ghost icon small"
            aria-label={LABELS[sign]()}
            // A command is a message of its own.
            disabled={sign === '/' && text.value !== ''}
            onClick={() => begin(sign)}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button
          type="button"
          class="btn ghost icon small"
          aria-label={words.attach}
          onClick={() => files.current?.click()}
        >
          <Icon name="clip" />
        </button>
        <input
          ref={files}
          class="vh"
          type="file"
          multiple
          accept={ACCEPTED}
          tabIndex={-1}
          aria-label={words.attach}
          onChange={(event) => {
            uploads.add(event.currentTarget.files ?? [])
            event.currentTarget.value = ''
            box.current?.focus()
          }}
        />
        {!isNote.value && traits?.hasSegments && <Opened dialog="SmsSize" text={text.value} />}
        <button
          class="btn primary push"
          // The second half of a double click on Accept is none on Send.
          onClick={(event) => event.detail > 1 && !mayClick() && event.preventDefault()}
        >
          {isNote.value ? words.addNote : words.send}
          <kbd aria-hidden="true">{sendsByEnter ? '↵' : 'Ctrl ↵'}</kbd>
        </button>
      </div>
    </form>
  )
}

const TOOLS = [
  [';', 'canned'],
  ['/', 'slash'],
  ['@', 'at'],
] as const

const LABELS = {
  ';': () => t().composer.canned,
  '/': () => t().composer.commands,
  '@': () => t().composer.mention,
  '>': () => t().composer.bot,
}

function leaveTo(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}
