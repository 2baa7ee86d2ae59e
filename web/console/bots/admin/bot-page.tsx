import { useEffect, useState } from 'preact/hooks'
import { AdminBotDocument, ReleaseBotDocument } from '../../../generated/bots-admin.js'
import { Icon } from '../../../shared/ui/icon.js'
import { More, Section } from '../../admin/section.js'
import { useOrganizations, type Organizations } from '../../admin/use-organizations.js'
import { useQuery } from '../../admin/use-query.js'
import { useStore } from '../../store/console-store.js'
import { ActButton } from './act-button.js'
import { BudgetBox } from './budget-box.js'
import { GrantsBox } from './grants-box.js'
import type { Bot } from './grants.js'
import { draftedOrganizations } from './use-grants-draft.js'
import { MaskBox } from './mask-box.js'
import { PauseButton } from './pause-button.js'
import { PauseLine } from './pause-line.js'
import { useBotAdminWords, words } from './words.js'

/** One bot: whether it is paused, and what it may do in conversations. */
export default function BotPage({ id }: { id: string }) {
  const isLoaded = useBotAdminWords()
  const answer = useQuery(AdminBotDocument, { id }, 'user')
  const organizations = useOrganizations()
  const bot = answer.data?.user ?? null
  const name = bot?.displayName
  useEffect(() => {
    const { title } = document
    if (name) document.title = name
    return () => void (document.title = title)
  }, [name])
  // Nothing is shown in one language and then in another.
  if (!isLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  const isBot = bot?.role === 'BOT'
  return (
    <Section title={isBot ? bot.displayName : words.bots} answer={answer}>
      <p class="line">
        <a class="btn small" href="/console/admin/users">
          <Icon name="left" size="s" flip />
          {words.back}
        </a>
        {isBot && (
          <a class="btn ghost small" href={`/console/admin/audit/${id}`}>
            {words.history}
          </a>
        )}
      </p>
      {answer.data && !isBot && <p class="mid">{words.noBot}</p>}
      {isBot && <Pause bot={bot} organizations={organizations} refresh={answer.refresh} />}
      {isBot && <BudgetBox bot={bot} refresh={answer.refresh} />}
      {isBot && <MaskBox bot={bot} refresh={answer.refresh} />}
      {isBot && organizations.data && <Grants bot={bot} organizations={organizations} refresh={answer.refresh} />}
    </Section>
  )
}

interface PartProps {
  bot: Bot
  organizations: Organizations
  refresh(): void
}

function Pause({ bot, organizations, refresh }: PartProps) {
  const { pauses } = bot
  return (
    <section class="box" aria-labelledby="bot-pause">
      <header>
        <Icon name={pauses.length > 0 ? 'off' : 'play'} />
        <h2 id="bot-pause">{pauses.length > 0 ? words.paused : words.works}</h2>
      </header>
      <div class="pad stack">
        <div role="status">
          {pauses.length === 0 && <p>{words.runs}</p>}
          {pauses.map((pause) => (
            <PauseLine key={pause.organizationId} pause={pause} nameOf={organizations.nameOf} />
          ))}
        </div>
        {pauses.some(({ organizationId }) => organizationId !== null) && <p class="hint">{words.resumeAllHelp}</p>}
        <p class="hint">{words.pauseHelp}</p>
        <p class="line">
          <PauseButton bot={bot} done={refresh} />
        </p>
      </div>
    </section>
  )
}

/** The lines by organization: the bot's own, and those below it that have some or are to get some. */
function Grants({ bot, organizations, refresh }: PartProps) {
  const store = useStore()
  const [added, add] = useState(() => draftedOrganizations(store.user, bot.id))
  const below = idsBelow(organizations, bot.organizationId)
  const withLines = new Set([...(bot.governance?.grants.map(({ organizationId }) => organizationId) ?? []), ...added])
  // Those whose names have not been read too.
  const unread = [...withLines].filter((id) => id !== bot.organizationId && !below.includes(id))
  const shown = [...below.filter((id) => withLines.has(id)), ...unread]
  const others = below.filter((id) => !shown.includes(id))
  return (
    <>
      <div>
        <h2>{words.title}</h2>
        <p class="mid">{words.lead}</p>
      </div>
      {[bot.organizationId, ...shown].map((id) => (
        <GrantsBox
          key={id}
          bot={bot}
          organization={id}
          name={organizations.nameOf(id) || words.anOrganizationBelow}
          isBelow={id !== bot.organizationId}
          refresh={refresh}
        />
      ))}
      {bot.governance && (
        <div class="line">
          {others.length > 0 && (
            <select
              class="in fit"
              aria-label={words.other}
              value=""
              onChange={({ currentTarget: { value } }) => add((before) => [...before, value])}
            >
              <option value="">{words.other}</option>
              {others.map((id) => (
                <option key={id} value={id}>
                  {organizations.nameOf(id)}
                </option>
              ))}
            </select>
          )}
          <ActButton
            label={words.release}
            ask={words.releaseAsk}
            run={() => store.request(ReleaseBotDocument, { id: bot.id })}
            done={() => {
              refresh()
              // The button will be gone.
              document.querySelector<HTMLElement>('#main')?.focus()
            }}
          />
        </div>
      )}
      <More more={organizations.more} />
    </>
  )
}

/** Organizations below one, each after the one that it belongs to. */
function idsBelow(organizations: Organizations, top: string): string[] {
  return organizations.rows
    .filter(({ parentId }) => parentId === top)
    .flatMap(({ id }) => [id, ...idsBelow(organizations, id)])
}
