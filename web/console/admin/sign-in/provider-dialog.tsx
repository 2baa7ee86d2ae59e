import { useState } from 'preact/hooks'
import {
  CreateProviderDocument,
  DeleteProviderDocument,
  ProviderAddressesDocument,
  UpdateProviderDocument,
  type AdminProviderFragment,
} from '../../../generated/admin-sign-in.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { FormDialog, linesOf, numberIn, type FieldSpec, type Values } from '../form-dialog.js'
import { useQuery } from '../use-query.js'
import { words as admin } from '../words.js'
import { CopyLine } from './copy-line.js'
import { rowOf, rowsIn, RoleMap, type MapRow } from './role-map.js'
import { words } from './words.js'

/** Stands for a secret that is stored: reads return it, and a write with it keeps the secret. */
const MASK = '********'

interface NewProviderProps {
  organization: FieldSpec
  made(provider: AdminProviderFragment): void
  close(): void
  refresh(): void
}

/** Adds a provider by its address alone: the addresses for its registration come with it. */
export function NewProvider({ organization, made, close, refresh }: NewProviderProps) {
  const store = useStore()
  const save = async (values: Values): Promise<void> => {
    const { createService } = await store.request(CreateProviderDocument, {
      input: {
        type: 'oidc',
        name: (values.name as string).trim(),
        organization: (values.organization as string) || null,
        params: { issuer: (values.issuer as string).trim() },
      },
    })
    refresh()
    made(createService)
  }
  return (
    <FormDialog
      title={words.addTitle}
      close={close}
      save={save}
      fields={[
        { name: 'name', label: admin.name, help: words.nameHelp, isRequired: true },
        { name: 'issuer', label: words.issuer, help: words.issuerHelp, isRequired: true },
        organization,
      ]}
    />
  )
}

interface ProviderDialogProps {
  provider: AdminProviderFragment
  close(): void
  refresh(): void
}

/** Changes a provider: its registration, and who gets which account by it. */
export function ProviderDialog({ provider, close, refresh }: ProviderDialogProps) {
  const store = useStore()
  const { id, name, params, version, status } = provider
  const [rows, setRows] = useState<readonly MapRow[]>(() => ((params.roleMap ?? []) as []).map(rowOf))
  const save = async (values: Values): Promise<void> => {
    const patch = {
      name: (values.name as string).trim(),
      params: paramsIn(params, values, rows),
      ...(values.status !== status && { status: values.status as 'ACTIVE' | 'INACTIVE' }),
      ifVersion: version,
    }
    await store.request(UpdateProviderDocument, { id, patch })
    refresh()
  }
  const remove = async (): Promise<void> => {
    await store.request(DeleteProviderDocument, { id })
    refresh()
  }
  const shown = name ?? String(params.issuer)
  return (
    <FormDialog
      title={shown}
      record={id}
      close={close}
      save={save}
      remove={{ ask: admin.removeAsk(shown), run: remove }}
      fields={fieldsOf(provider)}
      before={<Addresses service={id} />}
    >
      <RoleMap rows={rows} set={setRows} />
    </FormDialog>
  )
}

function fieldsOf({ name, params, status }: AdminProviderFragment): FieldSpec[] {
  const textOf = (key: string): string => String(params[key] ?? '')
  const linesIn = (key: string): string => ((params[key] ?? []) as string[]).join('\n')
  return [
    { name: 'name', label: admin.name, value: name ?? '', help: words.nameHelp, isRequired: true },
    { name: 'issuer', label: words.issuer, value: textOf('issuer'), isRequired: true },
    { name: 'clientId', label: words.clientId, value: textOf('clientId'), help: words.clientIdHelp },
    {
      name: 'clientSecret',
      label: words.clientSecret,
      kind: 'password',
      help: params.clientSecret === undefined ? words.secretNone : words.secretKept,
    },
    { name: 'domains', label: words.domainsOf, kind: 'lines', value: linesIn('domains'), help: words.domainsOfHelp },
    {
      name: 'accounts',
      label: words.accounts,
      kind: 'checks',
      value: ['createUsers', 'syncRoles'].filter((key) => params[key] === true),
      options: [
        ['createUsers', words.createUsers],
        ['syncRoles', words.syncRoles],
      ],
    },
    {
      name: 'defaultRole',
      label: words.defaultRole,
      kind: 'select',
      value: textOf('defaultRole'),
      options: [['', words.noRole], ...Object.entries(words.roles)],
    },
    { name: 'maxSessionHours', label: words.hours, value: textOf('maxSessionHours'), help: words.hoursHelp },
    { name: 'scopes', label: words.scopes, kind: 'lines', value: linesIn('scopes'), help: words.scopesHelp },
    {
      name: 'status',
      label: words.state,
      kind: 'select',
      value: status,
      options: Object.entries(words.statuses),
    },
  ]
}

/** The params to store: what the dialog shows, and the rest as it is. What is empty is left out. */
function paramsIn(before: Record<string, unknown>, values: Values, rows: readonly MapRow[]): Record<string, unknown> {
  const accounts = values.accounts as string[]
  const secret = values.clientSecret as string
  const next: Record<string, unknown> = {
    ...before,
    issuer: (values.issuer as string).trim(),
    clientId: (values.clientId as string).trim(),
    clientSecret: secret === '' ? (before.clientSecret === undefined ? '' : MASK) : secret,
    domains: linesOf(values.domains),
    scopes: linesOf(values.scopes),
    createUsers: accounts.includes('createUsers'),
    syncRoles: accounts.includes('syncRoles'),
    defaultRole: values.defaultRole,
    maxSessionHours: numberIn('maxSessionHours', values.maxSessionHours as string, words.hoursHelp),
    roleMap: rowsIn(rows),
  }
  const isGiven = (value: unknown): boolean =>
    value !== '' && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(
    // Whether it names itself in its answers is asked of another issuer anew.
    Object.entries(next).filter(([key, value]) =>
      key === 'ownReturn' ? next.issuer === before.issuer : isGiven(value),
    ),
  )
}

/** The addresses to register at the provider. */
function Addresses({ service }: { service: string }) {
  const { data, error } = useQuery(ProviderAddressesDocument, { service })
  const addresses = data?.signInAddresses
  return (
    <section class="box" aria-label={words.register} aria-busy={data === null && !error}>
      <header>
        <Icon name="link" />
        <h3>{words.register}</h3>
      </header>
      <ErrorHint text={error?.message} />
      {addresses && (
        <>
          <CopyLine label={words.redirect} text={addresses.redirect} />
          <CopyLine label={words.logout} text={addresses.logout} />
          <CopyLine label={words.start} text={addresses.start} />
        </>
      )}
    </section>
  )
}
