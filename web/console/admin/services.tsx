import { useState } from 'preact/hooks'
import {
  AdminServicesDocument,
  CreateServiceDocument,
  DeleteServiceDocument,
  UpdateServiceDocument,
} from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { CopyButton } from '../../shared/ui/copy-button.js'
import { FormDialog, type Values } from './form-dialog.js'
import { EditLink, Empty, More, Section, Table } from './section.js'
import { Sender, SenderTag } from './sender.js'
import { canBeTested, iconOf, paramFields, paramsOf, type Service } from './service-kinds.js'
import { TestService } from './test-service.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

/** Stands for the id of a service that is not stored yet. */
const NEW = ''

/** Ways to consumers and to other systems; of the web chat, the line for a site. */
export function Services() {
  const store = useStore()
  const answer = usePages(AdminServicesDocument, ({ services: all }) => all, 'service')
  const organizations = useOrganizations()
  const [tested, test] = useState<Service | null>(null)
  const [edited, edit] = useState<Service | 'new' | null>(null)
  const own = words.services
  const services = answer.rows
  // Its params come next: some kinds cannot be made without them.
  const begin = async ({ name, type, organization }: Values): Promise<void> => {
    const draft = { name: name as string, type: type as string, organizationId: organization as string }
    setTimeout(() =>
      edit({
        ...draft,
        ...{
          id: NEW,
          version: 0,
          status: 'ACTIVE',
          problem: null,
          params: {},
          updatedAt: '',
          sender: null,
          webhook: null,
          events: null,
        },
      }),
    )
  }
  const save = async (service: Service, values: Values): Promise<void> => {
    const { id, type, organizationId, version } = service
    const patch = { name: values.name as string, params: paramsOf(service, values) }
    if (id !== NEW) await store.request(UpdateServiceDocument, { id, patch: { ...patch, ifVersion: version } })
    else await store.request(CreateServiceDocument, { input: { ...patch, type, organization: organizationId || null } })
    answer.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteServiceDocument, { id })
    answer.refresh()
  }
  return (
    <Section
      title={words.sections.services}
      answer={answer}
      lead={own.help}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {services.length > 0 && (
        <Table label={words.sections.services} heads={[words.name, own.type, words.users.status, '']}>
          {services.map((service) => (
            <tr key={service.id}>
              <th scope="row">
                <span class="line">
                  <Icon name={iconOf(service)} />
                  <bdi>{service.name ?? own.kinds[service.type] ?? service.type}</bdi>
                </span>
              </th>
              <td>{own.kinds[service.type] ?? service.type}</td>
              <td>
                <span class={service.status === 'ACTIVE' ? 'tag good' : 'tag warn'}>
                  {own.statuses[service.status]}
                </span>
                <SenderTag sender={service.sender} />
                {service.problem && <p class="mute t2">{service.problem}</p>}
              </td>
              <td class="num">
                {canBeTested(service) && (
                  <button
                    class="btn ghost small"
                    aria-label={`${words.tests.test}: ${service.name ?? service.type}`}
                    onClick={() => test(service)}
                  >
                    {words.tests.test}
                  </button>
                )}
                {service.type === 'mailbox' && (
                  <a
                    class="btn ghost small"
                    aria-label={`${words.mailboxes.mails}: ${service.name ?? service.type}`}
                    href={`/console/admin/mailboxes/${service.id}`}
                  >
                    {words.mailboxes.mails}
                  </a>
                )}
                <EditLink name={service.name ?? service.type} run={() => edit(service)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More more={answer.more} />
      {answer.data && services.length === 0 && <Empty icon="web" says={words.services.none} />}
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
      {tested && <TestService key={tested.id} service={tested} close={() => test(null)} />}
      {edited === 'new' && (
        <FormDialog
          title={own.addTitle}
          close={() => edit(null)}
          save={begin}
          fields={[
            { name: 'name', label: words.name, isRequired: true },
            { name: 'type', label: own.type, kind: 'select', value: 'web', options: Object.entries(own.kinds) },
            organizations.field,
          ]}
        />
      )}
      {edited && edited !== 'new' && (
        <FormDialog
          key={edited.id}
          record={edited.id}
          title={edited.name ?? edited.type}
          close={() => edit(null)}
          save={(values) => save(edited, values)}
          remove={
            edited.id === NEW
              ? undefined
              : { ask: words.removeAsk(edited.name ?? edited.type), run: () => remove(edited.id) }
          }
          fields={[{ name: 'name', label: words.name, value: edited.name ?? '' }, ...paramFields(edited)]}
        />
      )}
    </Section>
  )
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
        <CopyButton text={line} label={words.copy} done={words.copied} />
      </header>
      <div class="pad">
        <code class="code">{line}</code>
      </div>
    </section>
  )
}
