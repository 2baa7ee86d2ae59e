import type { ComponentChildren } from 'preact'
import { Icon } from '../../shared/ui/icon.js'
import type { Answer } from './use-query.js'
import { words } from './words.js'

interface SectionProps {
  title: string
  lead?: string
  answer: Answer<unknown>
  action?: { label: string; run(): void }
  children: ComponentChildren
}

/** A page of the administration: its name, what can be made there, and whether what it shows is true. */
export function Section({ title, lead, answer, action, children }: SectionProps) {
  return (
    <main class="col" id="main" tabIndex={-1} aria-busy={answer.data === null && answer.error === null}>
      <div class="scroll" tabIndex={-1}>
        <div class="page">
          <header>
            <div>
              <h1>{title}</h1>
              {lead && <p class="mid">{lead}</p>}
            </div>
            {action && (
              <button class="btn primary push" onClick={action.run}>
                <Icon name="plus" size="s" />
                {action.label}
              </button>
            )}
          </header>
          {answer.error && (
            <p class="band warn" role="alert">
              <Icon name="alert" />
              {answer.error.message}
            </p>
          )}
          {answer.data === null && !answer.error && (
            <p class="mute" role="status">
              {words.loading}
            </p>
          )}
          {children}
        </div>
      </div>
    </main>
  )
}

/** Says what would be here, and what it is good for. */
export function Empty({
  icon,
  says: [title, help],
  children,
}: {
  icon: string
  says: readonly string[]
  children?: ComponentChildren
}) {
  return (
    <section class="box nothing-yet">
      <Icon name={icon} size="l" />
      <h2>{title}</h2>
      <p class="mid">{help}</p>
      {children}
    </section>
  )
}

interface TableProps {
  label: string
  heads: readonly string[]
  /** Number of last columns with figures, which stand at the end. */
  figures?: number
  /** Beside the title; with one, or `null`, the label is shown as the title. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** Rows with a heading; on a small screen it scrolls by itself. */
export function Table({ label, heads, figures = 0, action, children }: TableProps) {
  return (
    <section class="box tablebox" tabIndex={0} aria-label={label}>
      {action !== undefined && (
        <header>
          <h2>{label}</h2>
          {action}
        </header>
      )}
      <table class="table">
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col" class={index >= heads.length - figures ? 'num' : undefined}>
                {head || <span class="vh">{words.edit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** Loads the next page of a list. */
export function More({ more }: { more: (() => void) | undefined }) {
  return more ? (
    <button type="button" class="btn" onClick={more}>
      {words.more}
    </button>
  ) : null
}

export function EditLink({ name, run }: { name: string; run(): void }) {
  return (
    <button class="btn ghost small" aria-label={`${words.edit}: ${name}`} onClick={run}>
      {words.edit}
    </button>
  )
}

export function EditButton(props: { name: string; run(): void }) {
  return (
    <td class="num">
      <EditLink {...props} />
    </td>
  )
}
