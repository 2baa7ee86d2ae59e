import { SetBotBudgetDocument } from '../../../generated/bots-admin.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { useStore } from '../../store/console-store.js'
import type { Bot } from './grants.js'
import { SettingBox } from './setting-box.js'
import { useSetting } from './use-setting.js'
import { words } from './words.js'

const LIMITS = ['perConversation', 'perDay', 'toolCallsPerDay'] as const
type Limit = (typeof LIMITS)[number]

/** The limits as they are typed: an empty text is none. */
type Typed = Record<Limit, string>

interface BudgetBoxProps {
  bot: Bot
  refresh(): void
}

/** The budget of a bot, and what it has spent today. */
export function BudgetBox({ bot, refresh }: BudgetBoxProps) {
  const store = useStore()
  const setting = useSetting<Bot['budget'], Typed>({
    told: bot.budget,
    versionOf: (budget) => budget?.version ?? 0,
    async write(typed, ifVersion) {
      const budget = eachLimit((limit) => (typed[limit].trim() === '' ? null : Number(typed[limit])))
      const { setBotBudget } = await store.request(SetBotBudgetDocument, { bot: bot.id, budget, ifVersion })
      return setBotBudget.budget
    },
    refresh,
  })
  const budget = setting.saved
  const texts = setting.edited ?? eachLimit((limit) => String(budget?.[limit] ?? ''))
  const used = budget?.used
  return (
    <SettingBox id="bot-budget" title={words.budget.title} lead={words.budget.lead} saving={setting}>
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
            value={texts[limit]}
            onInput={({ currentTarget: { value } }) => setting.edit({ ...texts, [limit]: value })}
          />
        </div>
      ))}
      {used && (
        <p class="t2">{words.budget.used(used.messages, used.toolCalls, dayTime(used.resetsAt, store.now.value))}</p>
      )}
    </SettingBox>
  )
}

function eachLimit<Value>(valueOf: (limit: Limit) => Value): Record<Limit, Value> {
  return Object.fromEntries(LIMITS.map((limit) => [limit, valueOf(limit)])) as Record<Limit, Value>
}
