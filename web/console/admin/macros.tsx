import { useMacroList } from '../macros/macro-list.js'
import { StepLine } from '../macros/step-line.js'
import { useMacroWords, words as catalogue } from '../macros/words.js'
import { useStore } from '../store/console-store.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { words } from './words.js'

/** The macros that all agents of an organization have. */
export function Macros() {
  useMacroWords()
  const store = useStore()
  const organizations = useOrganizations()
  const list = useMacroList({ owner: { eq: null } })
  const channels = new Map(store.organization.channels.value?.map(({ id, name }) => [id, name]))
  return (
    <Section
      title={words.sections.macros}
      lead={catalogue.lead}
      answer={{ ...list, of: null }}
      action={{ label: catalogue.add, run: () => list.edit('new') }}
    >
      {list.rows && list.rows.length > 0 && (
        <Table
          label={words.sections.macros}
          heads={[catalogue.name, catalogue.does, catalogue.channels, catalogue.state, words.organization, '']}
        >
          {list.rows.map((macro) => (
            <tr key={macro.id}>
              <th scope="row">
                <bdi>{macro.name}</bdi>
                {macro.shortcut && <span class="mono mute"> ;{macro.shortcut}</span>}
              </th>
              <td>
                <ol>
                  {macro.steps.map((step, index) => (
                    <StepLine key={index} step={step} />
                  ))}
                </ol>
              </td>
              <td>
                <bdi>{macro.channelIds.map((id) => channels.get(id) ?? catalogue.gone).join(', ')}</bdi>
              </td>
              <td>{macro.archivedAt ? catalogue.archived : catalogue.used}</td>
              <td>
                <bdi>{organizations.nameOf(macro.organizationId)}</bdi>
              </td>
              <EditButton name={macro.name} run={() => list.edit(macro)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={list.more} />
      {list.rows?.length === 0 && <Empty icon="macro" says={catalogue.empty} />}
      {list.form({ isShared: true, organizations: organizations.options })}
    </Section>
  )
}
