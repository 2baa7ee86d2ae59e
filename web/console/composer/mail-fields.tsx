import { useEffect, useRef, useState } from 'preact/hooks'
import { ReplyAllDocument } from '../../generated/beside.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useStore } from '../store/console-store.js'
import type { MailHead } from '../../shared/outbox/store.js'
import { NO_HEAD } from './mail-head.js'

const FIELDS = ['to', 'cc', 'bcc', 'subject'] as const

/** Further recipients and the subject of a reply that is a mail; those of the mail that is answered on request. */
export function MailFields({ id }: { id: string }) {
  useActWords()
  const store = useStore()
  const words = catalogue.mail
  const drafts = store.writing.drafts.value
  const head = drafts?.of(id)?.mail
  const write = (given: MailHead | null): void => void drafts?.writeMail(id, given)
  const first = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const isOpened = useRef(false)
  useEffect(() => {
    if (head && isOpened.current) first.current?.focus()
    isOpened.current = false
  }, [head !== undefined])
  const open = (given: MailHead): void => {
    setFault(null)
    isOpened.current = true
    write(given)
  }
  const replyToAll = async (): Promise<void> => {
    try {
      const { conversation } = await store.request(ReplyAllDocument, { conversation: id })
      const mails = conversation?.messages.edges.flatMap(({ node }) => node.mail ?? []) ?? []
      const others = mails.at(-1)?.others ?? []
      if (others.length === 0) setFault(words.nobodyElse)
      else open({ ...NO_HEAD, ...head, cc: others.map(({ address }) => address).join(', ') })
    } catch (error) {
      setFault((error as Error).message)
    }
  }
  return (
    <div class="mailhead">
      {head && (
        <fieldset class="line-fields">
          <legend class="vh">{words.recipients}</legend>
          {FIELDS.map((field, index) => {
            const shared = {
              class: 'in',
              value: head[field],
              onInput: (event: InputEvent) =>
                write({ ...head, [field]: (event.currentTarget as HTMLInputElement).value }),
            }
            return (
              <label key={field} class="field">
                <span>{words[field]}</span>
                {field === 'subject' ? (
                  <input {...shared} type="text" maxLength={250} dir="auto" />
                ) : (
                  <input {...shared} ref={index === 0 ? first : undefined} type="email" multiple autocomplete="off" />
                )}
              </label>
            )
          })}
        </fieldset>
      )}
      <div class="line">
        {head ? (
          <button type="button" class="btn ghost small" onClick={() => write(null)}>
            <Icon name="x" size="s" />
            {words.without}
          </button>
        ) : (
          <button type="button" class="btn ghost small" onClick={() => open(NO_HEAD)}>
            <Icon name="mail" size="s" />
            {words.recipients}
          </button>
        )}
        <button type="button" class="btn ghost small" onClick={() => void replyToAll()}>
          {words.all}
        </button>
        <ErrorHint text={fault} />
      </div>
    </div>
  )
}
