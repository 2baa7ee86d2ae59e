import { AdminOverviewDocument } from '../../shared/graphql/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { Section } from './section.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

/** A person's first ten minutes, step by step; each is ticked by what there is, not by a click. */
export function Overview() {
  const answer = useQuery(AdminOverviewDocument, {})
  const { guide } = words
  const { data } = answer
  const service = data?.services.edges[0]?.node.id
  const steps = data
    ? [
        { words: guide.channel, isDone: data.channels.totalCount > 0, href: '/console/admin/channels' },
        { words: guide.colleague, isDone: data.users.totalCount > 1, href: '/console/admin/users' },
        { words: guide.workflow, isDone: data.workflows.totalCount > 0, href: '/console/admin/workflows' },
        { words: guide.service, isDone: data.services.totalCount > 0, href: '/console/admin/services' },
        {
          words: guide.message,
          isDone: data.conversations.totalCount > 0,
          href: service ? `/widget/demo?service=${service}` : '/console/admin/services',
        },
      ]
    : []
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.findIndex(({ isDone }) => !isDone)
  const name = data?.me.organization?.displayName ?? data?.me.organization?.name ?? ''
  return (
    <Section title={guide.title(name)} lead={data ? guide.lead(done, steps.length) : undefined} answer={answer}>
      {data && (
        <section class="box" aria-label={words.sections.overview}>
          <ol class="guide">
            {steps.map(({ words: [title, help, action], isDone, href }, index) => (
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
      )}
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
    </Section>
  )
}
