import { useEffect, useRef, useState } from 'preact/hooks'
import { newId } from '@switchboard/client'
import { CaseChannelsDocument, RunMacroDocument } from '../../generated/macros.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { filledIn, givenNameOf } from '../composer/fill-text.js'
import { useStore } from '../store/console-store.js'
import { fitsMacro, macrosFor, readMacros, type Macro } from './macros-of.js'
import { StepLine } from './step-line.js'
import { useMacroWords, words } from './words.js'

interface MacroDialogProps {
  thread: ThreadFrame
  /** Id of the last message that is shown. */
  last: string | null
  /** Id of the macro that is chosen at first; empty: the first. */
  given: string
  /** Goes on with the next conversation. */
  leaveBy(run: () => Promise<unknown>): void
  close(): void
}

const LEAVING: ReadonlySet<string> = new Set(['SNOOZE', 'HAND_OVER', 'CLOSE'])
/** A newer message makes these wrong. */
const ANSWERING: ReadonlySet<string> = new Set(['REPLY', 'CLOSE'])

/** Finds a macro, shows all that it does, and runs it. */
export function MacroDialog({ thread, last, given, leaveBy, close }: MacroDialogProps) {
  useMacroWords()
  const store = useStore()
  const { conversation } = thread
  const dialog = useRef<HTMLDialogElement>(null)
  const run = useRef({ macro: '', id: '' })
  const [text, setText] = useState('')
  const [at, setAt] = useState<string>(given)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const channels = useCaseChannels(conversation.id)
  const all = macrosFor(store, conversation.organizationId).filter(
    ({ channelIds }) => channelIds.length === 0 || channelIds.some((id) => channels?.includes(id)),
  )
  const shown = all.filter((macro) => fitsMacro(macro, text))
  const chosen = shown.find(({ id }) => id === at) ?? shown[0]
  const reply = chosen?.steps.find(({ kind }) => kind === 'REPLY')?.text
  const fill = (said: string): string => filledIn(said, givenNameOf(conversation.contact?.profile.name))
  useEffect(() => {
    dialog.current?.showModal()
    readMacros(store).catch((error: Error) => setFault(`${words.needsConnection} ${error.message}`))
  }, [])

  const ask = async ({ id: macro, steps }: Macro): Promise<void> => {
    // A repeat of what may have been done is the same run.
    if (run.current.macro !== macro) run.current = { macro, id: newId() }
    const ifLastMessage = steps.some(({ kind }) => ANSWERING.has(kind)) ? last : null
    const { runMacro } = await store.request(RunMacroDocument, {
      ...{ macro, id: run.current.id, conversations: [conversation.id] },
      ...(ifLastMessage && { ifLastMessage }),
    })
    const refusal = runMacro[0]?.refusal
    if (!refusal) return
    run.current = { macro: '', id: '' }
    throw new Error(refusal.message)
  }
  const begin = (): void => {
    if (!chosen || isBusy) return
    setFault(null)
    const ending = chosen.steps.at(-1)!.kind
    if (LEAVING.has(ending)) {
      const { id } = conversation
      dialog.current?.close()
      return leaveBy(() => (ending === 'CLOSE' ? store.acts.close(id, thread.name, ask(chosen)) : ask(chosen)))
    }
    setBusy(true)
    ask(chosen).then(
      () => {
        dialog.current?.close()
        store.focusOpened()
      },
      (error: Error) => {
        setBusy(false)
        setFault(error.message)
      },
    )
  }
  const putReply = (): void => {
    dialog.current?.close()
    putInBox(fill(reply!))
  }
  const keyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && chosen) setAt(shown[(shown.indexOf(chosen) + step + shown.length) % shown.length]!.id)
    else if (event.key === 'Enter') begin()
    else if (event.key === 'Tab' && !event.shiftKey && reply) putReply()
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="pop macros"
      aria-label={words.title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="ask">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="macro-options"
          aria-activedescendant={chosen && `m-${chosen.id}`}
          aria-label={words.find}
          placeholder={words.find}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={keyDown}
        />
        <button type="button" class="btn ghost icon" aria-label={t().close} onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </div>
      <div class="halves">
        <div class="opts" id="macro-options" role="listbox" aria-label={words.title}>
          {shown.map((macro) => (
            <div
              key={macro.id}
              class="opt"
              role="option"
              id={`m-${macro.id}`}
              aria-selected={macro === chosen}
              onClick={() => setAt(macro.id)}
              onDblClick={begin}
            >
              <Icon name="macro" />
              <bdi class="cut">{macro.name}</bdi>
              <span class="mute t2">{words.count(macro.steps.length)}</span>
            </div>
          ))}
          {shown.length === 0 && <p class="cap">{all.length === 0 ? words.none : words.nothing}</p>}
        </div>
        {chosen && (
          <section class="does" tabIndex={0} aria-label={words.will(chosen.name)}>
            <p class="mute">
              <bdi>{words.will(chosen.name)}</bdi>
            </p>
            <ol>
              {chosen.steps.map((step, index) => (
                <StepLine key={index} step={step} fill={fill} />
              ))}
            </ol>
          </section>
        )}
      </div>
      <ErrorHint text={fault} />
      <footer>
        <button type="button" class="btn primary" aria-disabled={!chosen || isBusy} onClick={begin}>
          {isBusy ? words.running : words.runAll} <kbd aria-hidden="true">↵</kbd>
        </button>
        {reply && (
          <button type="button" class="btn" onClick={putReply}>
            {words.replyFirst} <kbd aria-hidden="true">Tab</kbd>
          </button>
        )}
        <a class="push" href="/console/settings/macros">
          {words.manage}
        </a>
      </footer>
    </dialog>
  )
}

/** The channels of the conversation's case; null until they are known. */
function useCaseChannels(id: string): readonly string[] | null {
  const store = useStore()
  const [channels, setChannels] = useState<readonly string[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    store.request(CaseChannelsDocument, { id }, stop.signal).then(
      ({ conversation }) => setChannels(conversation?.caseChannels ?? []),
      () => undefined,
    )
    return () => stop.abort()
  }, [id])
  return channels
}

/** Puts a text where the caret stands in the composer, as if it were typed. */
function putInBox(text: string): void {
  const box = document.querySelector<HTMLTextAreaElement>('form.composer textarea')
  if (!box) return
  box.focus()
  box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
