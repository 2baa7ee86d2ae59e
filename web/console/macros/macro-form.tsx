import { useRef, useState } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { ArchiveMacroDocument, CreateMacroDocument, UpdateMacroDocument } from '../../generated/macros.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { draftOf, inputOf, newStep, useChoices, type DraftStep } from './draft-steps.js'
import type { Macro, Step } from './macros-of.js'
import { Select, StepFields } from './step-fields.js'
import { STEP_ICONS } from './step-line.js'
import { words } from './words.js'

interface MacroFormProps {
  /** Null for a new one. */
  macro: Macro | null
  /** True if a new one is shared; undefined: the agent chooses. */
  isShared?: boolean | undefined
  /** Organizations that may share it; none: the agent's own. */
  organizations?: readonly (readonly [id: string, name: string])[]
  /** It was saved, or archived. */
  changed(): void
  close(): void
}

const STEPS_MAX = 10
const ENDING: ReadonlySet<string> = new Set(['SNOOZE', 'HAND_OVER', 'CLOSE'])

/** Makes or changes a macro, as sentences. */
export function MacroForm({ macro, isShared, organizations = [], changed, close }: MacroFormProps) {
  const store = useStore()
  const choices = useChoices()
  const own = store.organization.me.value?.organizationId ?? ''
  const [name, setName] = useState(macro?.name ?? '')
  const [shortcut, setShortcut] = useState(macro?.shortcut ?? '')
  const [channels, setChannels] = useState<readonly string[]>(macro?.channelIds ?? [])
  const [steps, setSteps] = useState<readonly DraftStep[]>(() => (macro?.steps ?? []).map(draftOf))
  const [shared, share] = useState(isShared ?? false)
  const [organization, setOrganization] = useState(own)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const attempt = (run: () => Promise<unknown>): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    run().then(
      () => {
        changed()
        close()
      },
      (error: Error) => {
        setBusy(false)
        setFault(error instanceof Refused ? inWords(error.message) : error.message)
      },
    )
  }
  const save = (): Promise<unknown> => {
    const given = { name, shortcut: shortcut.trim() || null, channels: [...channels], steps: steps.map(inputOf) }
    if (macro)
      return store.request(UpdateMacroDocument, { id: macro.id, patch: { ...given, ifVersion: macro.version } })
    return store.request(CreateMacroDocument, {
      input: { ...given, isShared: shared, ...(shared && { organization: organization || own }) },
    })
  }
  const archive = (): Promise<unknown> =>
    store.request(ArchiveMacroDocument, { id: macro!.id, isArchived: macro!.archivedAt === null })
  const change = (key: number, patch: Partial<DraftStep>): void =>
    setSteps((all) => all.map((step) => (step.key === key ? { ...step, ...patch } : step)))
  const raise = (index: number): void =>
    setSteps((all) => [...all.slice(0, index - 1), all[index]!, all[index - 1]!, ...all.slice(index + 1)])
  const drop = (key: number): void => setSteps((all) => all.filter((step) => step.key !== key))
  const add = (kind: string): void => {
    if (kind === '') return
    const step = newStep(kind as Step['kind'])
    // What ends it stays the last.
    setSteps((all) =>
      ENDING.has(all.at(-1)?.kind ?? '') && !ENDING.has(kind)
        ? [...all.slice(0, -1), step, all.at(-1)!]
        : [...all, step],
    )
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-step="${step.key}"] :is(textarea, select)`)?.focus(),
    )
  }
  const hasEnd = steps.some(({ kind }) => ENDING.has(kind))
  return (
    <Dialog
      title={macro?.name ?? words.addTitle}
      icon="macro"
      close={close}
      submit={() => attempt(save)}
      footer={
        <>
          {macro && (
            <button type="button" class="btn ghost start" onClick={() => attempt(archive)}>
              {macro.archivedAt ? words.restore : words.archive}
            </button>
          )}
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy || steps.length === 0}>
            {t().save}
          </button>
        </>
      }
    >
      <div class="field">
        <label for="macro-name">{words.name}</label>
        <input
          class="in"
          id="macro-name"
          required
          maxLength={80}
          autocomplete="off"
          autofocus
          dir="auto"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="macro-shortcut">{words.shortcut}</label>
        <input
          class="in"
          id="macro-shortcut"
          maxLength={40}
          autocomplete="off"
          aria-describedby="macro-shortcut-hint"
          value={shortcut}
          onInput={(event) => setShortcut(event.currentTarget.value)}
        />
        <p class="hint" id="macro-shortcut-hint">
          {words.shortcutHelp}
        </p>
      </div>
      {!macro && isShared === undefined && (
        <div class="field">
          <label for="macro-whose">{words.whose}</label>
          <select
            class="in"
            id="macro-whose"
            value={String(shared)}
            onChange={(event) => share(event.currentTarget.value === 'true')}
          >
            <option value="false">{words.mine}</option>
            <option value="true">{words.everyone}</option>
          </select>
        </div>
      )}
      {!macro && shared && organizations.length > 1 && (
        <Select
          id="macro-organization"
          label={words.organization}
          value={organization}
          options={organizations}
          choose={setOrganization}
        />
      )}
      <ol ref={list} class="macro-steps" aria-label={words.does}>
        {steps.map((step, index) => (
          <li key={step.key} data-step={step.key}>
            <fieldset class="stack">
              <legend>
                <Icon name={STEP_ICONS[step.kind]} size="s" /> {words.step(index + 1, words.kinds[step.kind])}
              </legend>
              <StepFields
                id={`step-${step.key}`}
                step={step}
                choices={choices}
                change={(patch) => change(step.key, patch)}
              />
              <div class="line tight">
                {index > 0 && !ENDING.has(step.kind) && (
                  <button
                    type="button"
                    class="btn ghost icon small"
                    aria-label={words.up(index + 1)}
                    onClick={() => raise(index)}
                  >
                    <Icon name="up" size="s" />
                  </button>
                )}
                <button
                  type="button"
                  class="btn ghost icon small"
                  aria-label={words.drop(index + 1)}
                  onClick={() => drop(step.key)}
                >
                  <Icon name="trash" size="s" />
                </button>
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
      {steps.length < STEPS_MAX && (
        <div class="field">
          <label for="macro-add">{words.addStep}</label>
          <select class="in" id="macro-add" value="" onChange={(event) => add(event.currentTarget.value)}>
            <option value="">{words.choose}</option>
            {(Object.keys(words.kinds) as Step['kind'][])
              .filter((kind) => !(hasEnd && ENDING.has(kind)) && !(kind === 'CATEGORY' && has(steps, kind)))
              .map((kind) => (
                <option key={kind} value={kind}>
                  {words.kinds[kind]}
                </option>
              ))}
          </select>
          <p class="hint">{words.lastOnly}</p>
        </div>
      )}
      <fieldset class="field checks">
        <legend>{words.channels}</legend>
        {choices.channels.map((channel) => (
          <label key={channel.id} class="check">
            <input
              type="checkbox"
              checked={channels.includes(channel.id)}
              onChange={(event) =>
                setChannels((all) =>
                  event.currentTarget.checked ? [...all, channel.id] : all.filter((id) => id !== channel.id),
                )
              }
            />
            <bdi>{channel.name}</bdi>
          </label>
        ))}
        <p class="hint">{words.channelsHelp}</p>
      </fieldset>
      <ErrorHint text={fault} />
    </Dialog>
  )
}

const has = (steps: readonly DraftStep[], wanted: string): boolean => steps.some(({ kind }) => kind === wanted)

/** A field of the input, `steps[1].text`, as the form shows it. */
const inWords = (message: string): string =>
  message.replace(/^steps\[(\d+)\]\.\w+(\[\d+\])?:? ?/, (_, index: string) => `${Number(index) + 1}: `)
