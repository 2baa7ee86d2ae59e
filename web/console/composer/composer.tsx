import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { MessageInput } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { newId } from '@switchboard/client'
import { idOfDraft } from '../../shared/outbox/draft-id.js'
import { useCommand } from '../commands/use-command.js'
import { useOffice, type Office } from '../office.js'
import { dropsOf } from './drops.js'
import { fileMessage, outgoingFor } from './outgoing-for.js'
import { SmsSize } from './sms-size.js'
import { stopwordIn, suggestionsFor, triggerAt, type Suggestion, type Trigger } from './suggestions.js'
import { SuggestionList } from './suggestion-list.js'
import { touchpointsOf } from './touchpoints.js'
import { useDraft } from './use-draft.js'
import { UploadList } from './uploads.js'
import { ACCEPTED, useUploads } from './use-upload.js'
import { useTyping } from './use-typing.js'

/** A delivery that cannot be called back once it is out waits this long on the server, in which it can be taken back. */
const UNDO_MS = 5_000
const OPTIONS = 'composer-options'

/** Where a reply or a note is written. What is typed is a draft at once; what is sent is in the outbox at once. */
export function Composer({ thread }: { thread: ThreadFrame }) {
  const office = useOffice()
  const words = t().composer
  const { conversation } = thread
  const { id } = conversation
  const drafts = office.drafts.value
  const isNote = useSignal(drafts?.peek(id)?.isNote ?? false)
  const box = useRef<HTMLTextAreaElement>(null)
  const to = useSignal<string>('')
  const text = useSignal(drafts?.peek(id)?.text ?? '')
  const trigger = useSignal<Trigger | null>(null)
  const chosen = useSignal(0)
  const typing = useTyping(office, id)
  const forgetTyped = useDraft(office, id, box, isNote, text)
  const uploads = useUploads(office)
  const files = useRef<HTMLInputElement>(null)
  const isDraggedOver = useSignal(false)
  const write = (note: boolean): void => {
    isNote.value = note
    box.current?.focus()
  }
  const isOpen = conversation.status !== 'ARCHIVED'
  useCommand({ id: 'reply', label: words.reply, icon: 'chat', key: 'r', run: () => write(false) }, isOpen)
  useCommand({ id: 'note', label: words.note, icon: 'lock', key: 'n', run: () => write(true) }, isOpen)
  if (!isOpen) return <p class="band">{words.archived}</p>

  const name = thread.name
  const givenName = conversation.contact?.profile.name?.split(' ')[0] ?? ''
  const suggestions = trigger.value
    ? suggestionsFor(trigger.value, office, { givenName, organization: conversation.organizationId })
    : []
  const isSuggesting = suggestions.length > 0
  const choices = touchpointsOf(conversation)
  const target = conversation.touchpoint ?? choices[0]

  const typed = (): void => {
    const area = box.current!
    text.value = area.value
    trigger.value = triggerAt(area.value, area.selectionStart)
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
  }
  const submit = async (event?: Event): Promise<void> => {
    event?.preventDefault()
    const given = box.current!.value.trim()
    const outbox = office.outbox.peek()
    const isUploading = uploads.all.peek().some(({ attachment }) => attachment === null)
    if (!outbox || isUploading || (given === '' && uploads.all.peek().length === 0)) return
    forgetTyped()
    box.current!.value = ''
    text.value = ''
    trigger.value = null
    typing.stop()
    const touchpoint = (to.peek() || target) as MessageInput['touchpoint']
    const how = { isNote: isNote.peek(), touchpoint: to.peek(), colleagues: office.colleagues.peek() }
    const messages = [
      ...(given === '' ? [] : [outgoingFor(given, how)]),
      ...uploads.take().map(({ attachment, name }) => fileMessage({ attachment: attachment!, name }, how)),
    ]
    const draft = drafts?.peek(id)
    const isDraft = draft?.text.trim() === given && draft.isNote === how.isNote
    const stored = messages.map((message) => {
      const isFinal =
        message.role === 'AGENT' && !message.isBackchannel && (touchpoint === 'EMAIL' || touchpoint === 'SMS')
      const undo = isFinal ? { undoMs: UNDO_MS } : {}
      const messageId = isDraft && message.text === given ? idOfDraft(draft) : newId()
      return outbox.add({ id: messageId, user: office.user, conversation: id, message, at: Date.now(), ...undo })
    })
    // At once: later, the agent may be elsewhere.
    box.current?.focus()
    await drafts?.sent(id, Promise.all(stored))
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return void submit(event)
    if (!isSuggesting) {
      if (event.key === 'Escape') box.current?.blur()
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
  const stopword = isNote.value ? null : stopwordIn(text.value, office.me.value?.organization?.stopwords ?? [])
  return (
    <form
      class="composer"
      aria-label={words.label}
      data-kind={isNote.value ? 'note' : 'reply'}
      data-drop={isDraggedOver.value || undefined}
      onSubmit={submit}
      {...dropsOf(uploads, isDraggedOver)}
    >
      {isSuggesting && (
        <SuggestionList
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
            <input type="radio" name="kind" checked={!isNote.value} onChange={() => (isNote.value = false)} />
            <Icon name="chat" size="s" />
            {words.reply}
          </label>
          <label>
            <input type="radio" name="kind" checked={isNote.value} onChange={() => (isNote.value = true)} />
            <Icon name="lock" size="s" />
            {words.note}
          </label>
        </fieldset>
        {!isNote.value && choices.length > 1 && (
          <select
            class="in bare"
            aria-label={words.sendBy}
            value={to.value}
            onChange={(event) => (to.value = event.currentTarget.value)}
          >
            {choices.map((each) => (
              <option key={each} value={each === target ? '' : each}>
                {words.by(givenName || name, t().touchpoint[each])}
              </option>
            ))}
          </select>
        )}
        {isNote.value && <span class="t2">{words.onlyColleagues}</span>}
        {!isNote.value && conversation.status === 'QUEUED' && <span class="mute t2">{words.accepts}</span>}
        <DraftState office={office} id={id} />
      </div>
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
      <UploadList uploads={uploads} />
      {stopword && (
        <p class="hint bad stopword" role="status">
          <Icon name="alert" size="s" />
          {words.stopword(stopword)}
        </p>
      )}
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
        {!isNote.value && (to.value || target) === 'SMS' && <SmsSize text={text.value} />}
        <button class="btn primary push">
          {isNote.value ? words.addNote : words.send}
          <kbd aria-hidden="true">Ctrl ↵</kbd>
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

function DraftState({ office, id }: { office: Office; id: string }) {
  const drafts = office.drafts.value
  const draft = drafts?.of(id)
  if (!drafts || !draft) return <span class="push" />
  const words = t().composer
  const said = draft.isSaved ? words.draftSaved : drafts.isKept ? words.draftKept : words.draftLost
  return <span class="push mute t2 draft-word">{said}</span>
}
