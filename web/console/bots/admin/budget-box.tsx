import { Refused } from '@switchboard/client'
import { useEffect, useState } from 'preact/hooks'
import { SetBotBudgetDocument } from '../../../generated/bots-admin.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { t } from '../../../shared/i18n/messages.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { useStore } from '../../store/console-store.js'
import type { Bot } from './grants.js'
import { words } from './words.js'

const LIMITS = ['perConversation', 'perDay', 'toolCallsPerDay'] as const
type Limit = (typeof LIMITS)[number]

/** The limits as they are typed: an empty text is none. */
interface Edited extends Record<Limit, string> {
  /** Version of the budget that was there when the change began, 0 if none was; null: it is to be replaced. */
  version: number | null
}

/** A bot without a budget. */
const NONE = { version: 0 }

interface BudgetBoxProps {
  bot: Bot
  refresh(): void
}

/** The budget of a bot, and what it has spent today. */
export function BudgetBox({ bot, refresh }: BudgetBoxProps) {
  const store = useStore()
  const { id } = bot
  // As an own change left it, until an answer tells something else.
  const [own, setOwn] = useState<Pick<Bot, 'budget'> | null>(null)
  useEffect(() => setOwn(null), [bot.budget])
  const { budget } = own ?? bot
  const [edited, edit] = useState<Edited | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const textOf = (limit: Limit): string => edited?.[limit] ?? String(budget?.[limit] ?? '')
  const change = (limit: Limit, text: string): void => {
    setSaved(false)
    const { version } = edited ?? budget ?? NONE
    edit({
      ...(Object.fromEntries(LIMITS.map((each) => [each, textOf(each)])) as Record<Limit, string>),
      version,
      [limit]: text,
    })
  }
  const save = async (): Promise<void> => {
    if (isBusy || !edited) return
    setBusy(true)
    setFault(null)
    const limits = Object.fromEntries(
      LIMITS.map((limit) => [limit, textOf(limit).trim() === '' ? null : Number(textOf(limit))]),
    )
    try {
      const given = { bot: id, budget: limits, ifVersion: edited.version }
      const { setBotBudget } = await store.request(SetBotBudgetDocument, given)
      setOwn(setBotBudget)
      // What was typed meanwhile stays.
      const { version } = setBotBudget.budget ?? NONE
      edit((now) => (now === edited ? null : now && { ...now, version }))
      setSaved(true)
    } catch (error) {
      const isChanged = error instanceof Refused && error.reason === 'OTHER_VERSION'
      // What is typed stays; the next press replaces what it says by now.
      if (isChanged) edit((before) => before && { ...before, version: null })
      setFault(isChanged ? words.budget.conflict : (error as Error).message)
    } finally {
      setBusy(false)
      refresh()
    }
  }
  const used = budget?.used
  return (
    <section class="box" aria-labelledby="bot-budget">
      <header>
        <h2 id="bot-budget">{words.budget.title}</h2>
        <span class="mute t2 push" role="status">
          {isBusy ? words.saving : edited ? words.unsaved : isSaved ? words.saved : ''}
        </span>
      </header>
      <form
        class="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p class="mid">{words.budget.lead}</p>
        {LIMITS.map((limit) => (
          <div key={limit} class="field">
            <label for={`budget-${limit}`}>{words.budget[limit]}</label>
            <input
              id={`budget-${limit}`}
              class="in fit"
              type="number"
              min={0}
              step={1}
              placeholder={words.budget.none}
              value={textOf(limit)}
              onInput={({ currentTarget: { value } }) => change(limit, value)}
            />
          </div>
        ))}
        {used && (
          <p class="t2">{words.budget.used(used.messages, used.toolCalls, dayTime(used.resetsAt, store.now.value))}</p>
        )}
        <ErrorHint text={fault} />
        <p class="line">
          <button class="btn primary" aria-disabled={isBusy || !edited}>
            {t().save}
          </button>
          {edited && (
            <button type="button" class="btn" onClick={() => edit(null)}>
              {t().cancel}
            </button>
          )}
        </p>
      </form>
    </section>
  )
}
