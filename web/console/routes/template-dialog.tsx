import { newId, Unreachable, type Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RoutesDocument, TemplatesDocument } from '../../generated/beside.js'
import { SendDocument } from '../../generated/conversations.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import type { Route } from './way.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { labelOf } from './route-label.js'
import { isBroken, renderedText, showsFile, templatesFor, type Template } from './template-text.js'
import { words } from './words.js'

interface TemplateDialogProps {
  thread: ThreadFrame
  /** Id of the service whose templates are shown first; empty: the first that has some. */
  given: string
  close(): void
}

/** Values that were filled in, by conversation, for as long as the page is open: closing the dialog loses nothing. */
interface Filled {
  template: string
  values: Readonly<Record<string, string>>
  header: string
  /** A repeat of what may have been sent is the same message: its id, and what it said. */
  sent?: { of: string; id: string }
}
const filledIn = new WeakMap<ConsoleStore, Map<string, Filled>>()
const NOTHING: Filled = { template: '', values: {}, header: '' }

/** Finds a template, fills in its values, shows what the consumer will read, and sends it. */
export function TemplateDialog({ thread, given, close }: TemplateDialogProps) {
  const store = useStore()
  const { id, language: preferred } = thread.conversation
  const kept = filledIn.get(store) ?? new Map<string, Filled>()
  filledIn.set(store, kept)
  const [filled, setFilled] = useState(kept.get(id) ?? NOTHING)
  /** State of the conversation that the agent has seen: what comes behind the dialog is said before the template goes. */
  const mark = useRef(thread.conversation.mark)
  const [search, setSearch] = useState('')
  const [language, setLanguage] = useState('')
  const fields = useRef<HTMLFieldSetElement>(null)
  const { routes, service, templates, fault, choose, again } = useTemplates(id, given)

  const fill = (change: Partial<Filled>): void => {
    const next = { ...filled, ...change }
    kept.set(id, next)
    setFilled(next)
  }
  const shown = templatesFor(templates ?? [], { search, language, preferred })
  const chosen = shown.find((template) => template.id === filled.template) ?? shown[0]
  const languages = [...new Set((templates ?? []).map((template) => template.language))].toSorted()

  const submit = async (): Promise<void> => {
    if (!chosen) return
    const values = valuesOf(chosen, filled)
    const faulty = chosen.variables.find((name) => values[name] === '' || isBroken(values[name]!))
    const refuse = (field: string, why: string): never => {
      fields.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
      throw new Error(why)
    }
    if (faulty !== undefined) refuse(faulty, values[faulty] === '' ? words.missing(faulty) : words.lines(faulty))
    if (showsFile(chosen) && filled.header.trim() === '') refuse('=file', words.missingFile)
    const template = { id: chosen.id, values, ...(showsFile(chosen) && { header: filled.header.trim() }) }
    const of = JSON.stringify(template)
    const sent = filled.sent?.of === of ? filled.sent : { of, id: newId() }
    fill({ sent })
    const message = { id: sent.id, type: 'CHAT', role: 'AGENT', service, template, mark: mark.current } as const
    await store.request(SendDocument, { conversation: id, message }).catch((error: Error) => {
      const { reason } = error as Partial<Refused>
      if (reason === 'TEMPLATE_NOT_APPROVED') again()
      if (reason === 'MOVED_ON') mark.current = thread.conversation.mark
      throw new Error(wordsFor(error), { cause: error })
    })
    kept.delete(id)
  }
  return (
    <RequestDialog
      title={words.choose}
      icon="form"
      label={words.send}
      busyLabel={words.sending}
      tone="primary"
      isReady={chosen !== undefined}
      submit={submit}
      close={(isDone) => {
        close()
        if (isDone) store.focusOpened()
      }}
    >
      <div class="line-fields">
        <label class="field">
          <span>{words.find}</span>
          <input class="in" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        {languages.length > 1 && (
          <label class="field">
            <span>{words.language}</span>
            <select class="in" value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
              <option value="">{words.everyLanguage}</option>
              {languages.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        )}
        {routes.length > 1 && (
          <label class="field">
            <span>{words.service}</span>
            <select class="in" value={service} onChange={(event) => choose(event.currentTarget.value)}>
              {routes.map((route) => (
                <option key={route.service!.id} value={route.service!.id}>
                  {labelOf(route, routes)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <fieldset class="templates" aria-busy={templates === null && !fault}>
        <legend class="vh">{words.templates}</legend>
        {shown.map((template) => (
          <label key={template.id} class="opt">
            <input
              type="radio"
              name="template"
              checked={template === chosen}
              onChange={() => fill({ template: template.id })}
            />
            <bdi class="grow">{template.name}</bdi>
            <span class="mute t2">{template.language}</span>
          </label>
        ))}
        {templates && shown.length === 0 && <p class="hint">{templates.length === 0 ? words.none : words.nothing}</p>}
      </fieldset>
      {chosen && (
        <>
          {(chosen.variables.length > 0 || showsFile(chosen)) && (
            <fieldset ref={fields} class="line-fields blanks">
              <legend class="vh">{words.values}</legend>
              {chosen.variables.map((name) => (
                <label key={name} class="field">
                  <span>{name}</span>
                  <input
                    class="in"
                    type="text"
                    name={name}
                    dir="auto"
                    maxLength={1024}
                    autocomplete="off"
                    value={filled.values[name] ?? ''}
                    onInput={(event) => fill({ values: { ...filled.values, [name]: event.currentTarget.value } })}
                  />
                </label>
              ))}
              {showsFile(chosen) && (
                <label class="field">
                  <span>{words.header}</span>
                  <input
                    class="in"
                    type="url"
                    name="=file"
                    value={filled.header}
                    onInput={(event) => fill({ header: event.currentTarget.value })}
                  />
                </label>
              )}
            </fieldset>
          )}
          <figure class="reads">
            <figcaption class="t2 mute">{words.preview}</figcaption>
            <p class="bub" dir="auto" lang={chosen.language.replace('_', '-')}>
              {renderedText(chosen, filled.values)}
            </p>
            {chosen.buttons.map((button) => (
              <span key={button} class="tag">
                {button}
              </span>
            ))}
          </figure>
        </>
      )}
      <ErrorHint text={fault} />
    </RequestDialog>
  )
}

const valuesOf = ({ variables }: Template, { values }: Filled): Record<string, string> =>
  Object.fromEntries(variables.map((name) => [name, (values[name] ?? '').trim()]))

function wordsFor(error: Error): string {
  const { reason } = error as Partial<Refused>
  if (error instanceof Unreachable) return words.needsConnection
  if (reason === 'MOVED_ON') return words.movedOn
  return reason === 'TEMPLATE_NOT_APPROVED' ? `${words.notApproved} ${error.message}` : error.message
}

/** Reads which services take templates now, and the templates of the chosen one. */
function useTemplates(conversation: string, given: string) {
  const store = useStore()
  const [routes, setRoutes] = useState<readonly Route[]>([])
  const [service, choose] = useState(given)
  const [templates, setTemplates] = useState<readonly Template[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const failed = (error: Error): void => setFault(error instanceof Unreachable ? words.needsConnection : error.message)
  useEffect(() => {
    store.request(RoutesDocument, { conversation }).then((found) => {
      const taking = (found.conversation?.routes ?? []).filter((route) => route.takesTemplates && route.service)
      setRoutes(taking)
      choose((before) => before || (taking[0]?.service?.id ?? ''))
    }, failed)
  }, [conversation])
  useEffect(() => {
    if (service === '') return
    setTemplates(null)
    const stop = new AbortController()
    const isOver = (): boolean => stop.signal.aborted
    store.request(TemplatesDocument, { service }, stop.signal).then(
      (found) => isOver() || setTemplates(found.templates.filter(({ isSendable }) => isSendable)),
      (error: Error) => isOver() || failed(error),
    )
    return () => stop.abort()
  }, [service, tries])
  return { routes, service, templates, fault, choose, again: () => setTries(tries + 1) }
}
