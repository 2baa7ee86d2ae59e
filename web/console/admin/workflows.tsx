import { useState } from 'preact/hooks'
import { AdminWorkflowsDocument, CreateWorkflowDocument } from '../../generated/workflows.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type Values } from './form-dialog.js'
import { Empty, More, Section } from './section.js'
import { usePages } from './use-pages.js'
import { WorkflowEditor } from './workflow-editor.js'
import { useRuleWords } from '../rules/words.js'
import { words } from './words.js'

/** Rules that say which channels hear of a conversation (3.4, 4.6); the editor has the whole window. */
export default function Workflows() {
  const isLoaded = useRuleWords()
  const store = useStore()
  const answer = usePages(AdminWorkflowsDocument, ({ workflows }) => workflows, 'workflow')
  const [chosen, choose] = useState<string | null>(null)
  const [isNew, setNew] = useState(false)
  const own = words.workflows
  const workflows = answer.rows
  const shown = workflows.find(({ id }) => id === chosen) ?? workflows[0]
  const create = async ({ name }: Values): Promise<void> => {
    const { createWorkflow } = await store.request(CreateWorkflowDocument, {
      input: { name: name as string, rules: [] },
    })
    choose(createWorkflow.id)
    answer.refresh()
  }
  const dialog = isNew && (
    <FormDialog
      title={own.addTitle}
      close={() => setNew(false)}
      save={create}
      fields={[{ name: 'name', label: words.name, isRequired: true }]}
    />
  )
  // Nothing is shown in one language and then in another.
  if (!isLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  if (!shown)
    return (
      <Section
        title={words.sections.workflows}
        lead={own.help}
        answer={answer}
        action={{ label: own.add, run: () => setNew(true) }}
      >
        {answer.data && <Empty icon="route" says={own.none} />}
        {dialog}
      </Section>
    )
  return (
    <main class="col workbench" id="main" tabIndex={-1}>
      {answer.error && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          {answer.error.message}
        </p>
      )}
      <WorkflowEditor key={shown.id} workflow={shown} refresh={answer.refresh}>
        <a class="btn ghost icon" href="/console/admin" aria-label={words.title}>
          <Icon name="left" flip />
        </a>
        <h1>{words.sections.workflows}</h1>
        {workflows.length > 1 && (
          <select
            class="in fit"
            aria-label={words.sections.workflows}
            value={shown.id}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {workflows.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <More more={answer.more} />
        <button class="btn" onClick={() => setNew(true)}>
          <Icon name="plus" size="s" />
          {own.add}
        </button>
      </WorkflowEditor>
      {dialog}
    </main>
  )
}
