import { AdminOverviewDocument, type AdminOverviewQuery } from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from './use-query.js'
import { useAdminWords, words } from './words.js'

/** The guide beside an empty queue, for whoever can set things up. */
export default function SetUp() {
  const { data } = useQuery(AdminOverviewDocument, {})
  const isLoaded = useAdminWords()
  if (!data || !isLoaded) return null
  return (
    <div class="scroll" tabIndex={-1}>
      <div class="page narrow">
        <header>
          <div>
            <h2 class="as-title">{guideTitle(data)}</h2>
            <p class="mid">{guideLead(data)}</p>
          </div>
        </header>
        <Guide data={data} />
      </div>
    </div>
  )
}

export function guideTitle({ me: { organization } }: AdminOverviewQuery): string {
  return words.guide.title(organization?.displayName ?? organization?.name ?? '')
}

export function guideLead(data: AdminOverviewQuery): string {
  const steps = stepsOf(data)
  return words.guide.lead(steps.filter(({ isDone }) => isDone).length, steps.length)
}

/** Each step is ticked by what there is, not by a click. */
export function Guide({ data }: { data: AdminOverviewQuery }) {
  const { guide } = words
  const steps = stepsOf(data)
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <>
      <section class="box" aria-label={words.sections.overview}>
        <ol class="guide">
          {steps.map(({ says: [title, help, action], isDone, href }, index) => (
            <li key={title} class={isDone ? 'done' : ''}>
              <span class="tick">{isDone && <Icon name="check" size="s" />}</span>
              <div>
                <b>
                  {isDone && <span class="vh">{guide.done}: </span>}
                  {title}
                </b>
                <small>{help}</small>
              </div>
              <a
                class={index === next ? 'btn primary' : 'btn'}
                href={href}
                target={href.startsWith('/widget') ? '_blank' : undefined}
                rel="noreferrer"
              >
                {action}
              </a>
            </li>
          ))}
        </ol>
      </section>
      <section class="stack">
        <h2>{guide.keys}</h2>
        <ul class="grid four">
          <li class="line">
            <kbd>J</kbd> <kbd>K</kbd>
            <span class="mid">{guide.throughList}</span>
          </li>
          <li class="line">
            <kbd>A</kbd>
            <span class="mid">{guide.accept}</span>
          </li>
          <li class="line">
            <kbd>Ctrl</kbd> <kbd>K</kbd>
            <span class="mid">{guide.rest}</span>
          </li>
        </ul>
      </section>
    </>
  )
}

interface Step {
  says: readonly string[]
  isDone: boolean
  href: string
}

function stepsOf({ channels, users, workflows, services, conversations }: AdminOverviewQuery): Step[] {
  const { guide } = words
  const service = services.edges[0]?.node.id
  return [
    { says: guide.channel, isDone: channels.totalCount > 0, href: '/console/admin/channels' },
    { says: guide.colleague, isDone: users.totalCount > 1, href: '/console/admin/users' },
    { says: guide.workflow, isDone: workflows.totalCount > 0, href: '/console/admin/workflows' },
    { says: guide.service, isDone: services.totalCount > 0, href: '/console/admin/services' },
    {
      says: guide.message,
      isDone: conversations.totalCount > 0,
      href: service ? `/widget/demo?service=${service}` : '/console/admin/services',
    },
  ]
}
