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
import { Copied } from './copied.js'
import { FormDialog, type Values } from './form-dialog.js'
import { SignedIn } from './provider-sign-in.js'
import { EditLink, Empty, More, Section, Table } from './section.js'
import { Sender, SenderTag } from './sender.js'
import { nameOf, paramFields, paramsOf, useServiceKinds, type Service, type ServiceKind } from './service-kinds.js'
import { SetUpService } from './set-up-service.js'
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
  const kinds = useServiceKinds()
  const [inSetUp, setUp] = useState<Service | null>(null)
  const [edited, edit] = useState<Service | 'new' | null>(null)
  const own = words.services
  const services = answer.rows
  const nameById = (id: string): string | null => {
    const found = services.find((each) => each.id === id)
    return found ? nameOf(found, kinds) : null
  }
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
    const patch = { name: (values.name as string).trim() || null, params: paramsOf(service, kinds.get(type), values) }
    if (id !== NEW) await store.request(UpdateServiceDocument, { id, patch: { ...patch, ifVersion: version } })
    else {
      const input = { ...patch, type, organization: organizationId || null }
      const { createService: stored } = await store.request(CreateServiceDocument, { input })
      // With its secrets, which no other answer shows: some of them are copied into a form of the provider.
      if (leadsOn(kinds.get(type))) setTimeout(() => setUp({ ...service, ...stored }))
    }
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
      <SignedIn nameOf={nameById} />
      {services.length > 0 && (
        <Table label={words.sections.services} heads={[words.name, own.type, words.users.status, '']}>
          {services.map((service) => (
            <tr key={service.id}>
              <th scope="row">
                <span class="line">
                  <Icon name={kinds.get(service.type)?.icon ?? 'link'} />
                  <bdi>{nameOf(service, kinds)}</bdi>
                </span>
              </th>
              <td>{kinds.get(service.type)?.name ?? service.type}</td>
              <td>
                <span class={service.status === 'ACTIVE' ? 'tag good' : 'tag warn'}>
                  {own.statuses[service.status]}
                </span>
                <SenderTag sender={service.sender} />
                {service.problem && <p class="mute t2">{service.problem}</p>}
              </td>
              <td class="num">
                {leadsOn(kinds.get(service.type)) && (
                  <button
                    class="btn ghost small"
                    aria-label={`${actOn(kinds.get(service.type))}: ${nameOf(service, kinds)}`}
                    onClick={() => setUp(service)}
                  >
                    {actOn(kinds.get(service.type))}
                  </button>
                )}
                {service.type === 'mailbox' && (
                  <a
                    class="btn ghost small"
                    aria-label={`${words.mailboxes.mails}: ${nameOf(service, kinds)}`}
                    href={`/console/admin/mailboxes/${service.id}`}
                  >
                    {words.mailboxes.mails}
                  </a>
                )}
                <EditLink name={nameOf(service, kinds)} run={() => edit(service)} />
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
      {inSetUp && kinds.has(inSetUp.type) && (
        <SetUpService key={inSetUp.id} service={inSetUp} kind={kinds.get(inSetUp.type)!} close={() => setUp(null)} />
      )}
      {edited === 'new' && (
        <FormDialog
          title={own.addTitle}
          close={() => edit(null)}
          save={begin}
          fields={[
            { name: 'name', label: words.name, isRequired: true },
            {
              name: 'type',
              label: own.type,
              kind: 'select',
              value: 'web',
              options: [...kinds.values()].map((kind) => [kind.type, kind.name]),
            },
            organizations.field,
          ]}
        />
      )}
      {edited && edited !== 'new' && (
        <FormDialog
          // Begun anew once its fields are described.
          key={`${edited.id} ${kinds.has(edited.type)}`}
          record={edited.id}
          title={nameOf(edited, kinds)}
          before={edited.id === NEW && <Prepare steps={kinds.get(edited.type)?.prepare ?? []} />}
          close={() => edit(null)}
          save={(values) => save(edited, values)}
          remove={
            edited.id === NEW
              ? undefined
              : { ask: words.removeAsk(nameOf(edited, kinds)), run: () => remove(edited.id) }
          }
          fields={[
            { name: 'name', label: words.name, value: edited.name ?? '' },
            ...paramFields(edited, kinds.get(edited.type)),
          ]}
        />
      )}
    </Section>
  )
}

/** Tells whether more can be done about a service than to fill in its form. */
const leadsOn = (kind: ServiceKind | undefined): boolean =>
  Boolean(kind && (kind.test !== null || kind.connect.length > 0))

const actOn = (kind: ServiceKind | undefined): string => (kind?.touchpoint ? words.tests.setUp : words.tests.test)

/** The steps at the provider by which the params are found. */
function Prepare({ steps }: { steps: ServiceKind['prepare'] }) {
  return steps.length === 0 ? null : (
    <ol class="stack" aria-label={words.tests.atProvider}>
      {steps.map(({ text, address }, index) => (
        <li key={text}>
          {index + 1}. {text}
          {address && <Copied text={address} />}
        </li>
      ))}
    </ol>
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
