import { useState } from 'preact/hooks'
import { AdminWorkflowsDocument, CreateWorkflowDocument, type AdminWorkflowsQuery } from '../../shared/graphql/admin.js'
import { useOffice } from '../office.js'
import { FormDialog, type Values } from './form-dialog.js'
import { More, Section } from './section.js'
import { usePages } from './use-pages.js'
import { WorkflowEditor } from './workflow-editor.js'
import { words } from './words.js'

export type Workflow = AdminWorkflowsQuery['workflows']['edges'][number]['node']

/** Rules that say which channels hear of a conversation (3.4, 4.6). */
export function Workflows() {
  const office = useOffice()
  const answer = usePages(AdminWorkflowsDocument, ({ workflows }) => workflows)
  const [chosen, choose] = useState<string | null>(null)
  const [isNew, setNew] = useState(false)
  const own = words.workflows
  const workflows = answer.rows
  const shown = workflows.find(({ id }) => id === chosen) ?? workflows[0]
  const create = async ({ name }: Values): Promise<void> => {
    const { createWorkflow } = await office.request(CreateWorkflowDocument, {
      input: { name: name as string, rules: [] },
    })
    choose(createWorkflow.id)
    answer.refresh()
  }
  return (
    <Section title={words.sections.workflows} answer={answer} action={{ label: own.add, run: () => setNew(true) }}>
      {workflows.length > 1 && (
        <select
          class="in fit"
          aria-label={words.sections.workflows}
          value={shown?.id}
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
      {answer.data && !shown && <p class="mid">{own.none}</p>}
      {shown && <WorkflowEditor key={shown.id} workflow={shown} refresh={answer.refresh} />}
      {isNew && (
        <FormDialog
          title={own.addTitle}
          close={() => setNew(false)}
          save={create}
          fields={[{ name: 'name', label: words.name, isRequired: true }]}
        />
      )}
    </Section>
  )
}
