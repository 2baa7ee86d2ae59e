import { useState } from 'preact/hooks'
import {
  AdminServicesDocument,
  CreateServiceDocument,
  DeleteServiceDocument,
  UpdateServiceDocument,
  type AdminServicesQuery,
} from '../../shared/graphql/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'
import { CopyButton } from './copy-button.js'
import { FormDialog, linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { EditButton, Section, Table } from './section.js'
import { Sender, SenderTag } from './sender.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

type Service = AdminServicesQuery['services']['edges'][number]['node']

/** Ways to consumers and to other systems; of the web chat, the line for a site. */
export function Services() {
  const office = useOffice()
  const answer = useQuery(AdminServicesDocument, {})
  const [edited, edit] = useState<Service | 'new' | null>(null)
  const own = words.services
  const services = answer.data?.services.edges.map(({ node }) => node) ?? []
  const create = async ({ name, type }: Values): Promise<void> => {
    const input = { name: name as string, type: type as string, params: type === 'web' ? { greeting: '' } : {} }
    const { createService } = await office.request(CreateServiceDocument, { input })
    answer.refresh()
    setTimeout(() => edit({ ...createService, sender: null, webhook: null }))
  }
  const save = async (service: Service, values: Values): Promise<void> => {
    const patch = { name: values.name as string, params: paramsOf(service, values) }
    await office.request(UpdateServiceDocument, { id: service.id, patch })
    answer.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await office.request(DeleteServiceDocument, { id })
    answer.refresh()
  }
  return (
    <Section title={words.sections.services} answer={answer} action={{ label: own.add, run: () => edit('new') }}>
      {services.length > 0 && (
        <Table label={words.sections.services} heads={[words.name, own.type, words.users.status, '']}>
          {services.map((service) => (
            <tr key={service.id}>
              <th scope="row">
                <bdi>{service.name ?? own.kinds[service.type] ?? service.type}</bdi>
              </th>
              <td>{own.kinds[service.type] ?? service.type}</td>
              <td>
                {service.status.toLowerCase()}
                <SenderTag sender={service.sender} />
              </td>
              <EditButton name={service.name ?? service.type} run={() => edit(service)} />
            </tr>
          ))}
        </Table>
      )}
      {answer.data && services.length === 0 && <p class="mid">{words.none}</p>}
      {services
        .filter(({ type }) => type === 'web')
        .map((service) => (
          <Snippet key={service.id} service={service} />
        ))}
      {services.map(
        (service) =>
          service.sender?.isRequired &&
          !service.sender.isVerified && (
            <Sender key={service.id} service={service.id} sender={service.sender} refresh={answer.refresh} />
          ),
      )}
      {edited === 'new' && (
        <FormDialog
          title={own.addTitle}
          close={() => edit(null)}
          save={create}
          fields={[
            { name: 'name', label: words.name, isRequired: true },
            { name: 'type', label: own.type, kind: 'select', value: 'web', options: Object.entries(own.kinds) },
          ]}
        />
      )}
      {edited && edited !== 'new' && (
        <FormDialog
          key={edited.id}
          title={edited.name ?? edited.type}
          close={() => edit(null)}
          save={(values) => save(edited, values)}
          remove={{ ask: words.removeAsk(edited.name ?? edited.type), run: () => remove(edited.id) }}
          fields={[{ name: 'name', label: words.name, value: edited.name ?? '' }, ...fieldsOf(edited)]}
        />
      )}
    </Section>
  )
}

function fieldsOf({ type, params }: Service): FieldSpec[] {
  const own = words.services
  if (type !== 'web') {
    return [
      { name: 'params', label: own.params, kind: 'json', help: own.paramsHelp, value: JSON.stringify(params, null, 2) },
    ]
  }
  const origins = (params.allowedOrigins ?? []) as string[]
  return [
    { name: 'greeting', label: own.greeting, value: String(params.greeting ?? '') },
    { name: 'allowedOrigins', label: own.origins, kind: 'lines', help: own.originsHelp, value: origins.join('\n') },
  ]
}

function paramsOf({ type, params }: Service, values: Values): Record<string, unknown> {
  if (type !== 'web') {
    try {
      return JSON.parse(values.params as string) as Record<string, unknown>
    } catch (error) {
      throw new Error(`${words.services.badJson}: ${(error as Error).message}`, { cause: error })
    }
  }
  const { allowedOrigins: _replaced, ...rest } = params
  const origins = linesOf(values.allowedOrigins)
  return { ...rest, greeting: values.greeting as string, ...(origins.length > 0 && { allowedOrigins: origins }) }
}

function Snippet({ service }: { service: Service }) {
  const own = words.services
  const line = `<script async src="${location.origin}/widget.js" data-service="${service.id}"></script>`
  return (
    <section class="box" aria-label={`${own.snippet}: ${service.name ?? ''}`}>
      <header>
        <Icon name="web" />
        <h2>
          {own.snippet} <bdi class="mute">{service.name}</bdi>
        </h2>
        <a class="btn small push" href={`/widget/demo?service=${service.id}`} target="_blank" rel="noreferrer">
          {own.tryIt}
        </a>
        <CopyButton text={line} />
      </header>
      <div class="pad">
        <code class="code">{line}</code>
      </div>
    </section>
  )
}
